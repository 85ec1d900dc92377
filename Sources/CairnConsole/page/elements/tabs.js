// Tabs of the page, as the ARIA Authoring Practices define them: only the selected tab is in the tab order, arrow keys select another.
import { h } from "./dom.js";

export class Tabs {
  /** `entries`: id, title and element per tab; `shown(id)` is called when a tab is selected. */
  constructor(name, entries, shown) {
    this.shown = shown;
    this.entries = entries.map(([id, title, element]) => {
      const tab = h("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => this.select(id) }, title);
      return { id, tab, panel: h("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` }, element) };
    });
    const list = h("div", { class: "choices", role: "tablist", "aria-label": name, onkeydown: (event) => this.#key(event) },
      this.entries.map(({ tab }) => tab));
    this.element = h("div", {}, list, this.entries.map(({ panel }) => panel));
    this.select(entries[0][0]);
  }

  select(id, isFocused = false) {
    this.selected = id;
    for (const entry of this.entries) {
      const isSelected = entry.id === id;
      entry.tab.setAttribute("aria-selected", String(isSelected));
      entry.tab.tabIndex = isSelected ? 0 : -1;
      entry.panel.hidden = !isSelected;
      if (isSelected && isFocused) entry.tab.focus();
    }
    this.shown(id);
  }

  #key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const at = this.entries.findIndex(({ tab }) => tab.tabIndex === 0);
    this.select(this.entries[(at + by + this.entries.length) % this.entries.length].id, true);
    event.preventDefault();
  }
}
