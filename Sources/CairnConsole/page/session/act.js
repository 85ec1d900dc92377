// The actions of a session: a form per step that it accepts, gestures, links, login, and facts of the device.
import { button, choice, field, form, h, refill } from "../elements/dom.js";
import { paramFields } from "../elements/fields.js";
import { nodes, tabNames } from "./diff.js";
import { state } from "../state.js";

/**
 * `post(rest, body, what, fault, auth)` posts to the session, or only reports `fault`, an error in the user's input. With `plan` in `rest`, the service only
 * plans the action.
 */
export class Acts {
  #last = "";

  constructor(post) {
    this.post = post;
    this.element = h("div", { class: "acts" });
  }

  /** Redraws the controls that changed and keeps the user's input. */
  show(session, app) {
    const shown = JSON.stringify([session.id, session.accepts, session.stack, session.facts?.appState, app?.definition, Boolean(state.key)]);
    if (shown === this.#last) return;
    this.#last = shown;
    this.session = session;
    this.app = app;
    refill(this.element, this.#steps(), this.#gestures(), this.#link(), this.#user(), this.#device(), this.#raw());
  }

  /** Posts an action. The list of responses shows a short description of the action. */
  act(action, plan = false, auth = undefined) {
    const about = action.screen ?? action.tab ?? action.flow ?? action.by ?? action.state ?? action.link ?? action.question ?? "";
    const what = Array.isArray(action) ? `${action.length} actions` : action.step ?? `${action.type} ${about}`.trim();
    return this.post(plan ? "/actions?plan" : "/actions", action, what, undefined, auth);
  }

  #can(name) {
    return (this.session.accepts?.primitives ?? []).includes(name);
  }

  #group(id, title, ...inner) {
    return h("section", { class: "panel", id, tabindex: -1, "aria-label": title }, h("h3", {}, title), inner);
  }

  /** The buttons that send or plan the action that `read()` returns. */
  #sends(name, read) {
    const go = (plan) => { try { this.act(read(), plan); } catch (fault) { this.post(null, null, name, fault); } };
    return h("span", { class: "sends" }, h("button", { id: `send-${name}`, "aria-label": `Send ${name}` }, "Send"),
      button("Plan", () => go(true), { id: `plan-${name}`, class: "quiet", "aria-label": `Plan ${name}`,
        title: "Shows what the action would do, without performing it." }));
  }

  #steps() {
    const steps = this.session.accepts?.steps ?? [];
    if (steps.length === 0) return this.#group("steps", "Steps", h("p", { class: "quiet" }, "No step is accepted at present."));
    const others = [...nodes(this.session.tree)].map(({ node }) => node).filter((node) => node.kind === "screen" || node.kind === "alert");
    const visible = `the visible screen (${this.session.visible?.screen ?? "none"})`;
    const from = choice("step-from", [["", visible], ...others.map((node) => [node.id, `${node.name} ${node.id}`])]);
    return this.#group("steps", "Steps", steps.map((step) => this.#step(step, from)),
      h("details", { id: "step-more" }, h("summary", {}, "Sent by"), field("Screen that sends the step", from)));
  }

  #step({ step, params }, from) {
    const known = this.app?.steps?.find((each) => each.step === step);
    const fields = paramFields(`step-${step}`, params, known?.values);
    const read = () => {
      const given = fields.read();
      return { step, ...(Object.keys(given).length ? { params: given } : {}), ...(from.value ? { from: from.value } : {}) };
    };
    return form({ class: "step", "aria-label": `Step ${step}` }, () => this.act(read()),
      h("b", {}, step), fields.elements, this.#sends(step, read));
  }

  #gestures() {
    const simple = ["back", "pop", "popToRoot", "dismiss"].filter((name) => this.#can(name));
    const guarded = this.session.accepts?.guarded ?? [];
    const buttons = simple.map((type) => button(type + (guarded.includes(type) ? " (guarded)" : ""), () => this.act({ type }), { id: `gesture-${type}` }));
    const targets = [...new Set((this.session.stack ?? []).slice(0, -1).map((entry) => entry.screen))];
    const target = choice("gesture-target", targets, { "aria-label": "Screen to pop to" });
    const tabs = [...nodes(this.session.tree)].map(({ node }) => node).filter((node) => node.kind === "tabs");
    const selects = this.#can("select") ? tabs.flatMap((node) => tabNames(node.children ?? []).map((name, index) =>
      button(name, () => this.act({ type: "select", tab: index, node: node.id }),
        { id: `select-${node.id}-${index}`, "aria-label": `Select ${name} in ${node.name}` }))) : [];
    if (buttons.length + selects.length === 0) return this.#group("gestures", "Gestures", h("p", { class: "quiet" }, "No gesture is accepted at present."));
    return this.#group("gestures", "Gestures", h("div", { class: "row" }, buttons),
      this.#can("popTo") && targets.length
        ? form({ class: "row" }, () => this.act({ type: "popTo", screen: target.value }), target, h("button", {}, "popTo")) : null,
      selects.length ? h("div", { class: "row" }, h("span", {}, "select"), selects) : null);
  }

  #link() {
    const url = h("input", { id: "link-url", type: "text", inputmode: "url", placeholder: "https://…", autocomplete: "off", spellcheck: "false",
      required: true });
    const open = (plan) => this.post(plan ? "/open?plan" : "/open", { url: url.value }, `open ${url.value}`);
    return this.#group("links", "Link", form({ class: "row wide", "aria-label": "Open a link" }, () => open(false), field("URL", url),
      h("span", { class: "sends" }, h("button", { id: "link-open" }, "Open"), button("Plan", () => url.reportValidity() && open(true),
        { id: "link-plan", class: "quiet", title: "Shows the link that matches the URL, and what it would do, without opening it." }))));
  }

  #user() {
    const token = h("input", { id: "user-token", type: "password", autocomplete: "off", required: true });
    const code = h("input", { id: "user-code", autocomplete: "off" });
    const given = h("input", { id: "user-state", autocomplete: "off" });
    return this.#group("user", "User",
      form({ class: "row wide" }, () => { this.act({ type: "token", accessToken: token.value }); token.value = ""; },
        field("Access token", token), h("button", { id: "send-token" }, "Log in with this token")),
      this.#can("login") ? form({ class: "row wide" }, () => this.act({ type: "login", code: code.value, ...(given.value ? { state: given.value } : {}) }),
        field("OAuth code", code), field("state", given), h("button", {}, "Exchange")) : null,
      this.#can("logout") ? h("div", { class: "row" }, button("Log out", () => this.act({ type: "logout" }), { id: "logout" })) : null);
  }

  #device() {
    const own = this.session.accepts?.facts ?? {};
    const known = this.app?.facts ?? [];
    const others = state.key ? known.filter(({ fact }) => !["appState", "away"].includes(fact)) : [];
    const all = Object.fromEntries(others.map(({ fact, type }) => [fact, type]));
    const lists = Object.fromEntries(known.map(({ fact, values }) => [fact, values]));
    const rows = Object.entries({ ...all, ...own }).map(([name, type]) => {
      const fields = paramFields("fact", { [name]: type.endsWith("?") ? type.slice(0, -1) : type }, { [name]: lists[name] });
      return form({ class: "row wide" }, () => this.act({ type: "facts", set: fields.read() }, false, name in own ? undefined : state.key), fields.elements,
        h("button", { "aria-label": `Set ${name}` }, name in own ? "Set" : "Set, as the operator"));
    });
    const isNow = (where) => String(this.session.facts?.appState === where);
    const states = !this.#can("appState") ? null : h("div", { class: "row", role: "group", "aria-label": "App state" }, h("span", {}, "app"),
      ["foreground", "inactive", "background"].map((where) =>
        button(where, () => this.act({ type: "appState", state: where }), { "aria-pressed": isNow(where), id: `app-${where}` })));
    return states || rows.length ? this.#group("device", "Device and facts", states, rows) : null;
  }

  #raw() {
    const text = h("textarea", { id: "raw-json", rows: 3, spellcheck: "false", placeholder: '{"type":"pop","count":2}' });
    const send = (plan) => {
      try { this.act(JSON.parse(text.value), plan); } catch (fault) { this.post(null, null, "JSON", fault); }
    };
    return h("details", { id: "raw", class: "panel" }, h("summary", {}, "Any action, as JSON"),
      form({}, () => send(false), field("An action, or an array of actions", text),
        h("span", { class: "sends" }, h("button", {}, "Send"), button("Plan", () => send(true), { class: "quiet" }))));
  }
}
