// Sessions: the caller's credential, opening and starting a session, the list, deleting a session.
import { button, choice, field, fill, fillChoice, form, h } from "../elements/dom.js";
import { SessionList } from "./listing.js";
import { Starting } from "./starting.js";
import { changed, state } from "../state.js";

/** `open(id)` is called to show a session. */
export class Sessions {
  constructor(element, open) {
    this.open = open;
    this.key = h("input", { id: "key", type: "password", autocomplete: "off", spellcheck: "false" });
    this.id = h("input", { id: "session-id", autocomplete: "off", spellcheck: "false", required: true, placeholder: "s…" });
    this.secret = h("input", { id: "session-secret", type: "password", autocomplete: "off", placeholder: "cs_…" });
    this.app = choice("filter-app", [["", "all apps"]]);
    this.label = h("input", { id: "filter-label", autocomplete: "off" });
    this.listing = new SessionList(() => ({ app: this.app.value, label: this.label.value }), (id) => this.ended(id));
    this.note = this.listing.note;
    this.starting = new Starting((session) => { this.own(session); this.open(session.id); });
    fill(element, this.#intro(), h("div", { class: "columns" }, h("div", {}, this.starting.element), h("div", {}, this.#opening(), this.#operator())),
      this.#list());
  }

  #intro() {
    return [h("h2", { class: "hidden" }, "Start, open and list sessions"),
      h("p", { class: "intro" }, "Start a session below, or open an existing one with its id and its secret. ",
      "An operator's key opens all sessions. The key is kept only in this page's memory, a session's secret in this tab, so that a reload keeps the session. ",
      "Neither is part of a URL, and both are deleted when you close the tab.")];
  }

  #opening() {
    return form({ class: "panel", "aria-label": "Open a session" }, () => {
      const [id, secret] = [this.id.value.trim(), this.secret.value.trim()];
      if (secret) state.secrets.set(id, secret);
      this.secret.value = "";
      this.open(id);
    }, h("h3", {}, "Open a session"), field("Session's id", this.id), field("Its secret", this.secret, "or the operator's key below"),
      h("button", { id: "open-session" }, "Open"));
  }

  #operator() {
    return form({ class: "panel", "aria-label": "Operator" }, () => {
      this.#use(this.key.value.trim());
      this.key.value = "";
    }, h("h3", {}, "Operator"), field("Operator's key", this.key), h("div", { class: "row" }, h("button", { id: "use-key" }, "Use the key"),
      button("Forget the key", () => this.#use(""), { class: "quiet" })));
  }

  #use(key) {
    state.key = key;
    changed("key");
    fill(this.note);
    this.listing.show();
  }

  #list() {
    const filter = form({ class: "row wide", "aria-label": "Filter" }, () => { fill(this.note); this.listing.show(); },
      field("App", this.app), field("Label", this.label, "exact"), h("button", { id: "list" }, "List"));
    return h("section", { class: "panel", "aria-label": "All sessions" }, h("div", { class: "heading" }, h("h3", {}, "Sessions"), this.listing.state),
      filter, this.listing.element);
  }

  /** Whether this view is shown. The list follows changes only while the view is shown. */
  set isShown(isShown) {
    if (isShown) this.listing.show();
    else this.listing.hide();
  }

  /** Shows the apps for which a session can be started. */
  apps(names) {
    fillChoice(this.app, [["", "all apps"], ...names]);
    this.starting.apps(names);
  }

  /** Stores the secret of a session that was started here. */
  own(session) {
    if (session.secret) state.secrets.set(session.id, session.secret);
    if (session.opened) state.opened.set(session.id, session.opened);
  }

  /** Removes a session that has ended. */
  ended(id) {
    state.secrets.delete(id);
  }
}
