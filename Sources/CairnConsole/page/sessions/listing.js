// The list of sessions: for an operator all sessions, live; otherwise those whose secret this tab has, read when the list is shown.
import { call, get, getSession, Problem, sessionPath } from "../api.js";
import { button, fill, h, refill, table } from "../elements/dom.js";
import { Live } from "./live.js";
import { credential, state } from "../state.js";

const PAGE = 50;
/** The minimum time between two reads that events cause, in milliseconds. */
const PAUSE = 1000;

/** `chosen()` returns the app and the label for the filter. `ended(id)` is called after a session was deleted here. */
export class SessionList {
  #rows = new Map();
  #pages = 1;
  #reading = null;
  #live = null;
  #timer = null;

  constructor(chosen, ended) {
    this.chosen = chosen;
    this.ended = ended;
    this.body = h("tbody");
    this.more = h("div", { class: "row" });
    this.state = h("small", { id: "list-state" });
    this.note = h("p", { role: "status", id: "sessions-note" });
    const heads = ["Session", "App", "Label", "Visible", "Revision", "Changed (UTC)", ""];
    this.element = h("div", {}, this.note, table("Table of sessions", heads, this.body), this.more);
  }

  /** Reads the first page. With an operator's key, the list follows changes until `hide`. */
  show() {
    this.hide();
    this.#pages = 1;
    if (state.key) this.#live = new Live("/v1/events", () => state.key, (event) => event !== "end" && this.#soon(), (how, text) => this.#tell(how, text));
    return this.read();
  }

  hide() {
    this.#live?.stop();
    this.#live = null;
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Reads the shown pages again. A call during a read causes one more read afterwards. */
  async read() {
    if (this.#reading) return (this.#reading = "again");
    this.#reading = "once";
    try {
      await (state.key ? this.#all() : this.#own());
    } catch (problem) {
      fill(this.more);
      this.#put([]);
      // If a key was entered, the message says that it is not an operator's key.
      fill(this.note, problem.status === 401 && state.key ? `the service does not accept this operator's key: ${problem.message}` : problem.message);
    }
    const isAsked = this.#reading === "again";
    this.#reading = null;
    if (isAsked) await this.read();
  }

  #soon() {
    this.#timer ??= setTimeout(() => { this.#timer = null; this.read(); }, PAUSE);
  }

  #tell(how, text) {
    fill(this.state, how === "live" ? "live" : `not live: ${text}`);
  }

  async #all() {
    const { app, label } = this.chosen();
    const query = new URLSearchParams({ limit: String(PAGE), ...(app ? { app } : {}), ...(label ? { label } : {}) });
    const sessions = [];
    const damaged = [];
    let next = `/v1/sessions?${query}`;
    for (let page = 0; page < this.#pages && next; page++) {
      const { json } = await get(next, { auth: state.key });
      sessions.push(...json.sessions);
      damaged.push(...(json.damaged ?? []));
      next = json.next;
    }
    this.#put(sessions);
    refill(this.more, next ? button("More", () => { this.#pages += 1; this.read(); }, { id: "list-more" })
      : h("span", { class: "quiet" }, `${sessions.length} in all`), damaged.length ? ` ${damaged.length} damaged: ${damaged.join(", ")}` : null);
  }

  async #own() {
    const { app, label } = this.chosen();
    const read = await Promise.all([...state.secrets.keys()].map((id) => getSession(id).then(({ json }) => json, (problem) => this.#lost(id, problem))));
    const sessions = read.filter((each) => each && (!app || each.app === app) && (!label || each.label === label));
    this.#put(sessions.sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1)));
    fill(this.state, `read at ${new Date().toISOString().slice(11, 19)} UTC`);
    fill(this.more, h("span", { class: "quiet" }, state.secrets.size > 0
      ? "Sessions that were started or opened in this tab. With an operator's key, all sessions are listed."
      : "Sessions that you start here are listed here. With an operator's key, all sessions are listed."));
  }

  /** Removes the secret of a session that the service no longer has (404), or whose secret it rejects (401). Throws any other problem. */
  #lost(id, problem) {
    if (!(problem instanceof Problem) || ![401, 404].includes(problem.status)) throw problem;
    state.secrets.delete(id);
  }

  /** Shows these sessions in this order. The row of a session that was shown before is kept, and with it the focus. */
  #put(sessions) {
    const rows = sessions.map((session) => this.#rows.get(session.id) ?? this.#row(session));
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    const kept = new Set(rows.map(({ element }) => element));
    for (const element of [...this.body.children]) if (!kept.has(element)) element.remove();
    rows.forEach((row, index) => {
      row.update(sessions[index]);
      const there = this.body.children[index];
      if (there !== row.element) this.body.insertBefore(row.element, there ?? null);
    });
  }

  #row({ id }) {
    const cells = ["app", "label", "visible", "revision", "time"].map(() => h("td"));
    const end = h("td", {}, button("End", () => this.#confirm(id, end), { "aria-label": `End ${id}`, class: "quiet" }));
    const update = ({ app, label, visible, revision, updatedAt = "" }) => {
      const time = h("time", { datetime: updatedAt }, updatedAt.slice(0, 19).replace("T", " "));
      for (const [index, shown] of [app, label ?? "", visible?.screen ?? "", revision, time].entries()) fill(cells[index], shown);
    };
    return { id, update, element: h("tr", {}, h("td", {}, h("a", { href: `#s=${id}` }, id)), cells, end) };
  }

  /** Asks for confirmation before a session is deleted, because it cannot be restored. */
  #confirm(id, cell) {
    const sure = button("Confirm the end", async () => {
      try {
        await call("DELETE", sessionPath(id), { auth: credential(id) });
        this.ended(id);
        fill(this.note, `${id} has ended.`);
        await this.read();
      } catch (fault) {
        fill(this.note, fault instanceof Problem ? fault.message : "the service did not respond");
      }
    }, { class: "danger" });
    fill(cell, sure);
    sure.focus();
  }
}
