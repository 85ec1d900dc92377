// The notification bench: a payload as simctl push or FCM accept it, how it arrives, and a shelf of stored payloads.
import { button, choice, field, fill, form, h } from "../elements/dom.js";
import { save } from "../elements/paper.js";
import { discard, exported, imported, keep, shelf } from "./shelf.js";

const EXAMPLE = '{\n  "aps": { "alert": "…" }\n}';

/**
 * The body with the payload as typed, which may contain numbers that JavaScript cannot represent. A text that is not a JSON object is sent unchanged, so that
 * the service reports the error with its position. The button and the reply are in the body, because a query may be logged.
 */
function withUse(text, use) {
  try {
    if (!text.trimStart().startsWith("{")) return text;
    JSON.parse(text);
  } catch {
    return text;
  }
  const members = Object.entries(use).map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{"payload":${text}${members.join("")}}`;
}

/** `post(rest, body, what, fault)` posts to the session. */
export class Bench {
  constructor(post) {
    this.post = post;
    this.app = "";
    this.payload = h("textarea", { id: "payload", rows: 10, spellcheck: "false", placeholder: EXAMPLE, required: true,
      ondragover: (event) => event.preventDefault(), ondrop: (event) => this.#drop(event) });
    this.state = choice("bench-state", [["background", "background"], ["foreground", "foreground"], ["killed", "killed"]]);
    const ways = [["tap", "tapped"], ["arrival", "only arrives"], ["button", "button pressed"], ["reply", "replied to with text"]];
    this.how = choice("bench-how", ways, { onchange: () => this.#ask() });
    this.action = h("input", { id: "bench-action", autocomplete: "off" });
    this.reply = h("textarea", { id: "bench-reply", rows: 2, autocomplete: "off" });
    this.extra = h("div", { class: "row wide" });
    this.name = h("input", { id: "bench-name", autocomplete: "off", required: true, maxlength: 80 });
    this.list = h("ul", { class: "shelf" });
    this.note = h("p", { role: "status", class: "quiet" });
    this.element = h("div", {}, this.#bench(), this.#shelf());
  }

  show(app) {
    if (this.app === app) return;
    this.app = app;
    this.#list();
  }

  #bench() {
    return form({ class: "panel", "aria-label": "Notification" }, () => this.#send(false), h("h3", {}, "Notification"),
      field("Payload", this.payload, "an .apns file or an FCM message: paste it, drop it, or choose a file"),
      h("input", { type: "file", id: "payload-file", accept: ".apns,.json,application/json", "aria-label": "A payload's file",
        onchange: (event) => this.#read(event.target.files[0]) }),
      h("div", { class: "row wide" }, field("The app is", this.state), field("It is", this.how)), this.extra,
      h("span", { class: "sends" }, h("button", { id: "bench-send" }, "Send"),
        button("Plan", () => this.payload.reportValidity() && this.#send(true),
          { id: "bench-plan", class: "quiet", title: "Shows what the notification would do, without delivering it." })));
  }

  #shelf() {
    const file = h("input", { type: "file", accept: ".json,application/json", "aria-label": "A file of payloads to import",
      onchange: (event) => this.#import(event.target.files[0]) });
    return h("section", { class: "panel", "aria-label": "Shelf" }, h("h3", {}, "Shelf"),
      h("p", { class: "quiet" }, "Payloads by app, stored only in this browser. Do not put secrets into them."), this.list,
      form({ class: "row wide" }, () => this.#keep(), field("Keep the payload as", this.name), h("button", { id: "bench-keep" }, "Keep")),
      h("div", { class: "row" }, button("Export", () => save(`${this.app}.payloads.json`, exported(this.app)), { id: "shelf-export" }),
        h("label", {}, "Import ", file)), this.note);
  }

  /** Shows the input fields that the selected way of arrival needs: a button's identifier, a reply's text. */
  #ask() {
    const how = this.how.value;
    fill(this.extra, how === "button" || how === "reply" ? field("Button", this.action, how === "reply" ? "optional" : "its identifier") : null,
      how === "reply" ? field("Text", this.reply) : null);
  }

  #send(isPlan) {
    const how = this.how.value;
    const query = new URLSearchParams({ state: this.state.value });
    if (how === "arrival") query.set("tap", "false");
    const use = {};
    if ((how === "button" || how === "reply") && this.action.value) use.action = this.action.value;
    if (how === "reply") use.reply = this.reply.value;
    this.post(`/notifications?${query}${isPlan ? "&plan" : ""}`, withUse(this.payload.value, use), `notification (${this.state.value}, ${how})`);
  }

  #drop(event) {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) this.#read(file);
    else this.payload.value = event.dataTransfer.getData("text/plain");
  }

  async #read(file) {
    if (!file) return;
    this.payload.value = await file.text();
    this.name.value ||= file.name.replace(/\.(apns|json)$/, "");
  }

  #keep() {
    keep(this.app, this.name.value, this.payload.value);
    this.#list();
  }

  #list() {
    const kept = shelf(this.app);
    fill(this.list, kept.length === 0 ? h("li", { class: "quiet" }, `Nothing for ${this.app} yet.`) : kept.map(({ name, text }) => h("li", {},
      button(name, () => { this.payload.value = text; this.name.value = name; this.payload.focus(); }, { title: text.slice(0, 400) }),
      button("×", () => { discard(this.app, name); this.#list(); }, { "aria-label": `Discard ${name}`, class: "quiet" }))));
  }

  async #import(file) {
    if (!file) return;
    try {
      fill(this.note, `Payloads imported: ${imported(this.app, await file.text())}.`);
      this.#list();
    } catch (fault) {
      fill(this.note, fault.message);
    }
  }
}
