// A text for the user to copy: shown, selected, and written to the clipboard if the browser allows it.
import { button, fill, h } from "./dom.js";

/** Shows a text in the dialog for copies. */
export async function copy(title, text) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("paper"));
  const area = h("textarea", { readonly: true, rows: 16, "aria-label": title, id: "paper-text", spellcheck: "false" });
  area.value = text;
  const note = h("p", { role: "status" });
  const take = async () => {
    try {
      await navigator.clipboard.writeText(text);
      fill(note, "Copied.");
    } catch {
      area.select();
      fill(note, "Selected: copy it with Ctrl-C.");
    }
  };
  fill(dialog, h("h2", {}, title), area, note,
    h("div", { class: "row" }, button("Copy", take), button("Save as a file", () => save(`${title}.txt`, text)), button("Close", () => dialog.close())));
  // The text may be a secret.
  dialog.addEventListener("close", () => fill(dialog), { once: true });
  if (!dialog.open) dialog.showModal();
  await take();
}

/** Saves a text as a file on the user's computer. */
export function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
