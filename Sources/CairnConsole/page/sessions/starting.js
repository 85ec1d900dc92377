// The form that starts a session, with all its options.
import { appOf, call, newKey } from "../api.js";
import { choice, field, fill, fillChoice, form, h, refill } from "../elements/dom.js";
import { paramFields } from "../elements/fields.js";
import { state } from "../state.js";

/** `started(session)` is called after the service has created the session. */
export class Starting {
  constructor(started) {
    this.started = started;
    this.app = choice("start-app", [], { onchange: () => this.#facts() });
    this.label = h("input", { id: "start-label", autocomplete: "off", maxlength: 200 });
    this.clock = choice("start-clock", [["system", "system"], ["manual", "manual"]]);
    this.requests = choice("start-requests", [["sent", "sent"], ["manual", "completed by hand (operator)"]]);
    this.token = h("input", { id: "start-token", type: "password", autocomplete: "off" });
    this.url = h("input", { id: "start-open", autocomplete: "off", inputmode: "url", placeholder: "https://…" });
    this.payload = h("textarea", { id: "start-notification", rows: 3, spellcheck: "false" });
    this.environment = h("textarea", { id: "start-environment", rows: 2, spellcheck: "false", placeholder: '{"QIITA_BASE_URL":"…"}' });
    this.facts = h("div");
    this.note = h("div", { role: "status", id: "start-note" });
    this.element = form({ class: "panel", "aria-label": "Start a session" }, () => this.#start(), h("h3", {}, "Start a session"),
      h("div", { class: "row wide" }, field("App", this.app), field("Label", this.label, "optional")),
      h("div", { class: "row wide" }, field("Clock", this.clock), field("Access token", this.token, "of a returning user")),
      h("details", { id: "start-more" }, h("summary", {}, "Cold start, facts and more"),
        field("By a link", this.url), field("Or by a tapped notification", this.payload, "its payload"), this.facts,
        field("Requests", this.requests), field("Environment", this.environment, "JSON; operators only")),
      h("button", { id: "start", class: "main" }, "Start"), this.note);
  }

  apps(names) {
    fillChoice(this.app, names);
    this.#facts();
  }

  /** Shows fields for the app's facts. The user's input is kept until the definition changes. */
  async #facts() {
    if (!this.app.value) return;
    try {
      const { facts, definition } = await appOf(this.app.value);
      if (this.definition === definition) return;
      this.definition = definition;
      const types = Object.fromEntries(facts.map(({ fact, type }) => [fact, `${type.replace("?", "")}?`]));
      this.given = paramFields("start-fact", types, Object.fromEntries(facts.map(({ fact, values }) => [fact, values])));
      const own = facts.filter(({ by }) => by === "client").map(({ fact }) => fact);
      const whose = own.length ? ` without a key: ${own.join(", ")}` : " operators only";
      refill(this.facts, facts.length === 0 ? null : h("fieldset", {}, h("legend", {}, "Facts", h("small", {}, whose)), this.given.elements));
    } catch (problem) {
      fill(this.note, problem.message);
    }
  }

  #body() {
    const facts = this.given?.read() ?? {};
    return {
      app: this.app.value,
      ...(this.label.value ? { label: this.label.value } : {}),
      ...(this.clock.value === "manual" ? { clock: "manual" } : {}),
      ...(this.requests.value === "manual" ? { requests: "manual" } : {}),
      ...(this.token.value ? { accessToken: this.token.value } : {}),
      ...(this.url.value ? { open: this.url.value } : {}),
      ...(this.payload.value ? { notification: JSON.parse(this.payload.value) } : {}),
      ...(this.environment.value ? { environment: JSON.parse(this.environment.value) } : {}),
      ...(Object.keys(facts).length ? { facts } : {}),
    };
  }

  async #start() {
    try {
      const { json } = await call("POST", "/v1/sessions", { auth: state.key || undefined, body: this.#body(),
        headers: { "Idempotency-Key": `"${newKey()}"` } });
      this.token.value = "";
      fill(this.note, `Started ${json.id}.`);
      this.started(json);
    } catch (problem) {
      fill(this.note, h("p", { class: "bad" }, problem.message),
        (problem.body?.errors ?? []).map((error) => h("p", {}, h("code", {}, error.pointer), ` ${error.detail}`)));
    }
  }
}
