import { layersOf } from "./cairn-client/index.js";
import { basket } from "./basket.js";
import { button, h } from "./dom.js";
import { basketBar, screens } from "./screens.js";

const tabNames = { home: "Restaurants", orders: "Orders", profile: "Profile" };

/** Draws a session's snapshots into the page: the root into `app`, and each modal into a separate dialog. */
export class Drawing {
  #dialogs = new Map();
  #drawn = new Map();
  #front = undefined;
  #banner = h("p", { class: "banner", role: "status", hidden: true });
  #toast = h("p", { class: "toast", role: "status", hidden: true });
  #timer = undefined;

  /** The functions that post: `step`, `back`, `select`, `token`, `open`. */
  say = undefined;

  constructor({ app, dialogs }) {
    Object.assign(this, { app, dialogs });
  }

  draw(snapshot, banner) {
    const [root, ...modals] = layersOf(snapshot.tree);
    this.#fill(this.app, root, snapshot);
    for (const [id, dialog] of this.#dialogs) if (!modals.some((modal) => modal.id === id)) this.#close(id, dialog);
    for (const modal of modals) this.#fill(this.#dialog(modal), modal, snapshot);
    tell(this.#banner, banner);
    this.#place();
    if (snapshot.visible?.id !== this.#front) {
      this.#front = snapshot.visible?.id;
      document.querySelector(`[data-node="${this.#front}"] h1`)?.focus();
    }
    document.title = `${document.querySelector(`[data-node="${this.#front}"] h1`)?.textContent ?? "Delivery"} · Delivery`;
  }

  /** Shows only why the session has ended. */
  end(why) {
    for (const [id, dialog] of this.#dialogs) this.#close(id, dialog);
    tell(this.#banner, why);
    this.app.replaceChildren(this.#banner);
  }

  /** Shows a message that disappears after some seconds. */
  note(text) {
    tell(this.#toast, text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => tell(this.#toast, ""), 4000);
  }

  /** Moves the messages to the front layer, because a modal dialog covers all other layers. */
  #place() {
    const front = [...this.#dialogs.values()].at(-1) ?? this.app;
    if (front.firstChild !== this.#banner) front.prepend(this.#banner);
    if (front.lastChild !== this.#toast) front.append(this.#toast);
  }

  /**
   * Draws a layer, unless nothing that it shows has changed: unchanged parts are identical objects. The user's input in the fields of the same screen is kept.
   */
  #fill(place, layer, snapshot) {
    const basis = [layer, snapshot.facts, snapshot.pending, basket.dishes.join()];
    const before = this.#drawn.get(place);
    if (before?.every((one, index) => one === basis[index])) return;
    this.#drawn.set(place, basis);
    const typed = fields(place);
    place.replaceChildren(...this.#node(layer, snapshot, {}));
    restore(place, typed);
  }

  #node(node, snapshot, { flow, below = 0 }) {
    const children = node.children ?? [];
    if (node.kind === "tabs") return [...this.#node(children[node.selected], snapshot, { flow: node }), this.#tabs(node)];
    if (children.length > 0) return this.#node(children.at(-1), snapshot, { flow: node, below: children.length - 1 });
    return [this.#screen(node, snapshot, flow, below)];
  }

  #screen(node, { facts, pending }, flow, below) {
    const draw = screens[node.name] ?? (() => [node.name]);
    const [title, ...inside] = draw({ node, params: node.params ?? {}, say: this.say, facts, pending, flow });
    const canGo = below > 0 || (node.kind !== "alert" && flow?.style !== undefined) || node.style === "sheet";
    return h("section", { "data-node": node.id, "data-screen": node.name },
      h("header", {}, canGo && button(below > 0 ? "‹ Back" : "✕", () => this.say.back(), { class: "back", "aria-label": below > 0 ? "Back" : "Close" }),
        h("h1", { tabindex: "-1" }, title)),
      h("div", { class: "inside" }, inside), flow?.name === "home" && basketBar(this.say));
  }

  #tabs(node) {
    return h("nav", { "aria-label": "Tabs" }, node.children.map((child, index) =>
      button(tabNames[child.name] ?? child.name, () => this.say.select(index), { "aria-current": index === node.selected ? "page" : undefined })));
  }

  #dialog(modal) {
    const known = this.#dialogs.get(modal.id);
    if (known) return known;
    const cancel = (event) => {
      event.preventDefault();
      this.say.back();
    };
    const dialog = h("dialog", { class: modal.style ?? "sheet", oncancel: cancel });
    this.#dialogs.set(modal.id, dialog);
    this.dialogs.append(dialog);
    dialog.showModal();
    return dialog;
  }

  #close(id, dialog) {
    this.#dialogs.delete(id);
    this.#drawn.delete(dialog);
    dialog.close();
    dialog.remove();
  }
}

function tell(place, text) {
  if (place.textContent !== text) place.textContent = text;
  place.hidden = text === "";
}

function fields(place) {
  const screen = place.querySelector("[data-node]")?.dataset.node;
  return { screen, values: [...place.querySelectorAll("input")].map((input) => [input.name, input.value]) };
}

function restore(place, { screen, values }) {
  if (screen === undefined || place.querySelector("[data-node]")?.dataset.node !== screen) return;
  for (const [name, value] of values) {
    const input = place.querySelector(`input[name="${name}"]`);
    if (input) input.value = value;
  }
}
