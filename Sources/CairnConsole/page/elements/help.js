// The keyboard shortcuts. The list that handles the keys also creates the table that people see.
import { button, fill, h } from "./dom.js";

/** `keys`: the shortcuts, each with key, description and function. */
export class Keys {
  constructor(keys) {
    this.keys = keys;
    this.dialog = /** @type {HTMLDialogElement} */ (document.getElementById("help"));
    document.getElementById("help-button").addEventListener("click", () => this.show());
    document.addEventListener("keydown", (event) => this.#press(event));
  }

  show() {
    const own = [["Tab, Shift-Tab", "moves between controls"], ["← →", "moves between Act, Notifications and History while one of them has the focus"],
      ["+ − 0, arrows", "zooms in, zooms out, fits and scrolls the graph while it has the focus"], ["Escape", "closes the dialog"]];
    const rows = [...this.keys, ["?", "these shortcuts"], ...own].map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)),
      h("td", {}, what)));
    fill(this.dialog, h("h2", {}, "Keys"), h("table", {}, h("tbody", {}, rows)), button("Close", () => this.dialog.close()));
    this.dialog.showModal();
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog[open]")) return;
    if (event.key === "?") return this.show();
    const found = this.keys.find(([key]) => key === event.key);
    if (!found) return;
    event.preventDefault();
    found[2]();
  }
}
