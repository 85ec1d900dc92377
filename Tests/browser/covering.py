"""Finds the covered controls of a page: a click would hit another element."""

# Points near the corners and the middle of each control that can be scrolled into view. A part outside the window counts as covered. A control that is left of
# the page until it has the focus is skipped.
COVERED = """root => {
  const box = document.querySelector(root);
  const controls = [...box.querySelectorAll("button, a[href], input, select, textarea, summary")];
  const seen = controls.filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest("[inert]")
    && each.getBoundingClientRect().right > 0);
  return seen.flatMap((control) => {
    control.scrollIntoView({ block: "nearest" });
    const places = [[0.5, 0.5], [0.15, 0.2], [0.85, 0.2], [0.15, 0.8], [0.85, 0.8]];
    // A link over several lines has a rectangle for each.
    return [...control.getClientRects()].flatMap(({ left, top, width, height }) => places.flatMap(([across, down]) => {
      const found = document.elementFromPoint(left + width * across, top + height * down);
      if (found && (control.contains(found) || found.contains(control) && found.matches("label"))) return [];
      return [`${control.textContent.trim() || control.name || control.id} is covered by ${found ? found.tagName + "#" + found.id : "the window's edge"}`];
    }));
  });
}"""


def covered(page, root="body"):
    """A sentence for each covered point of the controls in `root`."""
    return page.evaluate(COVERED, root)
