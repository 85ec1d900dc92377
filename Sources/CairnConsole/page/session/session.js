// One session: shows it, follows it live, posts actions to it, and shows its past revisions.
import { appOf, call, getSession, postSession, Problem, sessionPath } from "../api.js";
import { Acts } from "./act.js";
import { Bench } from "./bench.js";
import { difference, sketch } from "./diff.js";
import { button, fill, h, refill } from "../elements/dom.js";
import { History } from "./history.js";
import { Live } from "../sessions/live.js";
import { copy } from "../elements/paper.js";
import { Outcomes } from "./outcome.js";
import { clock, crumbs, facts, Pending } from "./status.js";
import { changed, credential, state } from "../state.js";
import { Tabs } from "../elements/tabs.js";
import { device } from "./tree.js";

/** `told(state, text)` is called with the state of the event stream, `gone(id, text)` when the session has ended. */
export class SessionView {
  #live = null;
  #reading = null;

  constructor(element, told, gone) {
    this.told = told;
    this.gone = gone;
    const post = (...given) => this.#post(...given);
    this.acts = new Acts(post);
    this.then = h("p", { class: "panel", role: "status", id: "only-now", hidden: true });
    this.bench = new Bench(post);
    this.outcomes = new Outcomes();
    this.history = new History((revision) => this.look(revision), (what, answer) => this.#told(what, answer));
    this.pending = new Pending();
    this.title = h("div", { class: "heading" });
    this.crumbs = h("nav", { "aria-label": "The session's position" });
    this.changes = h("p", { id: "what-changed", class: "quiet" });
    this.tree = h("div", { id: "tree" });
    this.facts = h("section", { class: "panel", "aria-label": "Facts" });
    this.clock = h("section", { class: "panel", "aria-label": "Clock" });
    const waits = h("section", { class: "panel", "aria-label": "Pending" }, h("h3", {}, "Pending"), this.pending.element);
    this.tabs = new Tabs("Actions", [
      ["act", "Act", this.acts.element], ["bench", "Notifications", this.bench.element], ["history", "History", this.history.element],
    ], (id) => this.#showHistory(id));
    fill(element, this.title, this.crumbs, h("div", { class: "desk" },
      h("div", { class: "look" }, this.changes, this.tree), h("div", { class: "side" }, this.facts, waits, this.clock),
      h("div", { class: "do" }, this.outcomes.element, this.then, this.tabs.element)));
  }

  /** Shows a session and follows it. Without an id, shows none. */
  async open(id) {
    this.#live?.stop();
    Object.assign(state, { id, session: null, before: null, past: null });
    this.outcomes.clear();
    if (!id) return;
    fill(this.tree, h("p", { class: "quiet" }, "Reading…"));
    await this.read();
    if (state.id !== id || !state.session) return;
    this.#coldStart(id);
    this.#live = new Live(sessionPath(id, "/events"), () => credential(id), (event, data) => this.#hear(event, data), this.told);
  }

  /** Shows the outcome of the cold start of a session that was started here. It may be a refusal. */
  #coldStart(id) {
    const opened = state.opened.get(id);
    state.opened.delete(id);
    if (opened) this.outcomes.tell("cold start", opened.code ? new Problem(opened.status, opened) : opened);
  }

  /** Reads the session. A call during a read causes one more read afterwards. */
  async read() {
    if (this.#reading) return (this.#reading = "again");
    this.#reading = "once";
    const id = state.id;
    try {
      const { json, headers } = await getSession(id);
      if (id === state.id) await this.#take(json, headers.get("Date"));
    } catch (problem) {
      if (id === state.id) this.#lost(id, problem);
    } finally {
      const isAsked = this.#reading === "again";
      this.#reading = null;
      if (isAsked && id === state.id) await this.read();
    }
  }

  /** Shows a past revision. Null or the newest revision shows the current state. */
  async look(revision) {
    if (revision === null || revision === state.session.revision) state.past = null;
    else {
      try {
        const id = state.id;
        const [session, before] = await Promise.all([revision, revision - 1].map((at) => (at > 0 ? getSession(id, `?revision=${at}`) : null)));
        state.past = { revision, session: session.json, before: before?.json ?? null };
      } catch (problem) {
        this.outcomes.tell(`revision ${revision}`, problem);
      }
    }
    this.#draw();
  }

  #hear(event, data) {
    // The revision may be older than the shown one, because the service may have been restored from a backup.
    if (event === "reset") this.#take(data, null, true);
    else if (event === "change") { if (data.revision > (state.session?.revision ?? 0)) this.read(); }
    else if (event === "end") {
      if (data.reason === "deleted" || data.reason === "expired") this.gone(state.id, `The session has ended: ${data.reason}.`);
      else this.told(data.reason === "credential" ? "over" : "waiting", `the service ended the stream: ${data.reason}`);
    }
  }

  async #take(session, date, isReset = false) {
    const old = state.session;
    if (old && ((old.revision > session.revision && !isReset) || JSON.stringify(old) === JSON.stringify(session))) return;
    if (!old && session.revision > 1) {
      state.before = (await getSession(session.id, `?revision=${session.revision - 1}`).catch(() => null))?.json ?? null;
    } else if (old && old.revision !== session.revision) state.before = old.revision < session.revision ? old : null;
    state.session = session;
    this.pending.sync(date);
    this.app = await appOf(session.app, session.definition).catch(() => null);
    this.#draw();
    changed("session", session);
  }

  #draw() {
    if (!state.session) return;
    const past = state.past;
    const session = past?.session ?? state.session;
    const act = past ? null : (action) => this.acts.act(action);
    const marks = difference((past ? past.before : state.before)?.tree, session.tree);
    refill(this.title, h("h2", {}, session.app, h("small", {}, ` ${session.label ?? ""}`)), h("code", {}, session.id),
      h("span", { class: "badge plain", id: "revision" }, `revision ${session.revision}`),
      past ? button("Back to the newest", () => this.look(null), { id: "to-now", class: "main" })
        : button("Refresh", () => this.read(), { id: "refresh", title: "Reloads the session (r)" }),
      state.secrets.has(session.id) ? button("Secret", () => copy("Secret of this session", state.secrets.get(session.id)),
        { id: "show-secret", class: "quiet", title: "Shows the session's secret, which the commands of As curl need" }) : null,
      button("End session", (event) => this.#end(event.target), { id: "end-session", class: "quiet" }));
    refill(this.crumbs, crumbs(session));
    fill(this.changes, past ? `The session at revision ${session.revision}. ` : "", told(marks));
    refill(this.tree, device(session, marks, act));
    fill(this.facts, h("h3", {}, "Facts"), facts(session));
    this.pending.show(session, act, past ? session.updatedAt : undefined);
    refill(this.clock, h("h3", {}, "Clock"), clock(session, act));
    this.acts.show(state.session, this.app);
    this.bench.show(state.session.app);
    this.#onlyNow(past);
    this.#showHistory(this.tabs.selected);
  }

  /** Disables posting while a past revision is shown, because actions apply to the current state. */
  #onlyNow(past) {
    for (const { element } of [this.acts, this.bench]) element.inert = Boolean(past);
    this.then.hidden = !past;
    fill(this.then, past ? `This is revision ${past.revision}. Go back to the newest revision to post actions.` : "");
  }

  /** Reads the history if its view is open. */
  #showHistory(tab) {
    if (tab === "history" && state.session) this.history.show(state.session, state.past?.revision ?? null);
  }

  async #post(rest, body, what, fault, auth) {
    if (fault) return this.outcomes.tell(what, fault);
    const id = state.id;
    const answer = await postSession(id, rest, body, auth).then(({ json }) => json, (problem) => problem);
    // The user may have opened another session during the request.
    if (id !== state.id) return;
    this.outcomes.tell(what, answer);
    if (answer instanceof Error || rest.includes("plan")) return;
    state.past = null;
    await this.read();
  }

  /** Shows the response to a request of the history view; after a success, reads and shows the current session. */
  #told(what, answer) {
    this.outcomes.tell(what, answer);
    if (answer instanceof Error) return;
    state.past = null;
    this.read();
  }

  /** Deletes the session at the second click, because it cannot be restored. */
  async #end(target) {
    if (target.textContent !== "Confirm the end") return void (target.textContent = "Confirm the end");
    const id = state.id;
    try {
      await call("DELETE", sessionPath(id), { auth: credential(id) });
      this.gone(id, `${id} has ended.`);
    } catch (problem) {
      this.outcomes.tell("end", problem);
    }
  }

  #lost(id, problem) {
    this.#live?.stop();
    if (!state.session) fill(this.tree);
    if (problem instanceof Problem && [401, 404].includes(problem.status)) this.gone(id, problem.message);
    else this.told("waiting", problem.message);
  }
}

/** Describes the differences from the previous revision. */
function told({ added, changed: other, gone }) {
  const went = gone.length ? `removed: ${gone.map(sketch).join(", ")}` : "";
  const parts = [added.size ? `${added.size} new` : "", other.size ? `${other.size} changed` : "", went].filter(Boolean);
  return parts.length ? `Since the previous revision: ${parts.join("; ")}` : "The tree has not changed since the previous revision.";
}
