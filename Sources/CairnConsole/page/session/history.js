// The history, newest entries first, in pages. The session can be shown at any revision.
import { call, getSession, sessionPath } from "../api.js";
import { cause, commands } from "./curl.js";
import { button, field, form, h, refill } from "../elements/dom.js";
import { changes, events } from "./outcome.js";
import { copy } from "../elements/paper.js";
import { state } from "../state.js";

const PAGE = 25;

/** `look(revision)` shows that revision, or the current one for null. `told(what, answer)` reports a response or an error. */
export class History {
  #id = "";
  #first = 0;
  #newest = true;

  constructor(look, told) {
    this.look = look;
    this.told = told;
    this.list = h("ol", { class: "history", reversed: true });
    this.pages = h("div", { class: "row" });
    // Disabled until a session is shown: the view can be opened while the session is still being read.
    this.exports = [
      button("As scenario", () => this.#scenario(), { id: "as-scenario", disabled: true }),
      button("As curl", () => this.#curl(), { id: "as-curl", disabled: true }),
    ];
    this.element = h("section", { class: "panel", "aria-label": "History" },
      h("div", { class: "heading" }, h("h3", {}, "History"), this.exports), this.list, this.pages);
  }

  /** Shows the newest page of a session, or the page to which the user has gone back. */
  async show(session, past) {
    if (session.id !== this.#id) [this.#id, this.#newest] = [session.id, true];
    this.session = session;
    this.past = past;
    for (const button of this.exports) button.disabled = false;
    if (this.#newest) this.#first = Math.max(0, session.revision - PAGE);
    try {
      const after = this.#first;
      const { json } = await getSession(session.id, `/history?after=${after}&limit=${PAGE}`);
      if (this.#id === session.id && this.#first === after) this.#draw(json.entries);
    } catch (problem) {
      // The page's entries have been forgotten, so the oldest remaining page is shown.
      if (problem.firstRevision > this.#first) {
        this.#first = problem.firstRevision;
        return this.show(session, past);
      }
      this.told("history", problem);
    }
  }

  #draw(entries) {
    refill(this.list, [...entries].reverse().map((entry) => this.#entry(entry)));
    const go = (first) => { this.#first = Math.max(0, first); this.#newest = first + PAGE >= this.session.revision; this.show(this.session, this.past); };
    refill(this.pages,
      button("Newer", () => go(this.#first + PAGE), { id: "history-newer", disabled: this.#first + PAGE >= this.session.revision }),
      button("Older", () => go(this.#first - PAGE), { id: "history-older", disabled: this.#first === 0 }),
      h("span", { class: "quiet" },
        entries.length ? `revisions ${entries[0].revision} to ${entries.at(-1).revision} of ${this.session.revision}` : "nothing yet"));
  }

  #entry(entry) {
    const isLooked = (this.past ?? this.session.revision) === entry.revision;
    const outcome = [entry.outcome, entry.reason].filter(Boolean).join(": ");
    return h("li", { class: isLooked ? "looked" : null }, h("details", { id: `entry-${entry.revision}` },
      h("summary", {}, h("b", {}, entry.revision), ` ${cause(entry)} `,
        h("span", { class: entry.outcome === "performed" ? "badge plain" : "badge waits" }, outcome),
        h("time", { datetime: entry.at }, ` ${entry.at.slice(11, 19)}`),
        entry.receivedAt ? h("small", {}, ` received ${entry.receivedAt.slice(11, 19)}`) : null, entry.by ? h("small", {}, ` by ${entry.by}`) : null),
      h("pre", {}, JSON.stringify(entry.action, null, 1)), events(entry.events), changes(entry.changes), this.#undo(entry.revision)),
      button("Look", () => this.look(entry.revision), {
        id: `look-${entry.revision}`, "aria-label": `Look at revision ${entry.revision}`, "aria-pressed": String(isLooked),
      }));
  }

  /** A form that restores the session's state at a revision, at the second click; null without an operator's key. */
  #undo(revision) {
    if (!state.key) return null;
    const reason = h("input", { id: `undo-reason-${revision}`, autocomplete: "off", maxlength: 200 });
    const send = h("button", { id: `undo-${revision}`, class: "danger" }, "Restore this revision");
    return form({ class: "row wide", "aria-label": `Restore revision ${revision} of the session` }, async () => {
      if (send.textContent === "Restore this revision") return void (send.textContent = "Confirm the restore");
      const body = { revision, ...(reason.value ? { reason: reason.value } : {}) };
      const id = this.#id;
      const answer = await call("POST", sessionPath(id, "/undo"), { auth: state.key, body }).then(({ json }) => json, (problem) => problem);
      if (id === this.#id) this.told(`restored revision ${revision}`, answer);
    }, field("Reason", reason, "shown in the history"), send);
  }

  async #scenario() {
    try {
      const { json } = await getSession(this.#id, "/history?as=scenario");
      await copy(`${this.session.app}.scenarios.yaml`, json);
    } catch (problem) {
      this.told("as scenario", problem);
    }
  }

  /** Copies all entries of the history as curl commands. */
  async #curl() {
    try {
      const entries = [];
      for (let after = null, more = true; more;) {
        const { json } = await getSession(this.#id, `/history?${after === null ? "" : `after=${after}&`}limit=1000`);
        entries.push(...json.entries);
        more = Boolean(json.next);
        after = entries.at(-1)?.revision ?? 0;
      }
      await copy(`${this.session.app} as curl`, commands(this.session, entries));
    } catch (problem) {
      this.told("as curl", problem);
    }
  }
}
