import { actions } from "./actions.js";
import { SessionCore } from "./session/core.js";
import { publicGroup } from "./session/groups.js";

/** @typedef {import("./index").Limits} Limits */

/** The class `Session` of index.d.ts, which describes its members. The classes in `session/` implement them. */
export class Session {
  #core;

  /**
   * @param {import("./types").Whole} whole the session in the form that `readWhole` returns
   * @param {import("./transport.js").Transport} transport @param {import("./types").SessionOptions} options
   */
  constructor(whole, transport, options = {}) {
    this.#core = new SessionCore(whole, transport, options);
    this.opened = whole.body.opened;
  }

  attach() {
    return this.#core.attach();
  }

  // MARK: Reading

  get id() { return this.#core.identity.id; }
  get secret() { return this.#core.identity.secret; }
  get path() { return this.#core.identity.path; }
  get isLocal() { return this.#core.role.isLocal; }
  get tree() { return this.#core.picture.now.tree; }
  get stack() { return this.#core.picture.now.stack; }
  get visible() { return this.#core.picture.now.visible; }
  get revision() { return this.#core.picture.now.revision; }
  get facts() { return this.#core.picture.now.facts; }
  get accepts() { return this.#core.picture.now.accepts; }
  get pending() { return this.#core.picture.now.pending; }

  getSnapshot = () => this.#core.picture.now;

  subscribe = (listener) => this.#core.audience.subscribe(listener);

  onRejected(listener) {
    return this.#core.audience.onRejected(listener);
  }

  groups() {
    return this.#core.groups.kept.map(publicGroup);
  }

  retry(id) {
    return this.#core.role.retry(id);
  }

  discard(id) {
    return this.#core.role.discard(id);
  }

  onExit(listener) {
    return this.#core.audience.onExit(listener);
  }

  events(/** @type {import("./index").EventsOptions} */ { limit } = {}) {
    return this.#core.audience.events({ after: this.revision, limit, isOver: this.#core.isOver });
  }

  keyOf = (id) => this.#core.predictions.keys.of(id);

  idOf = (key) => this.#core.predictions.keys.idOf(key);

  refresh(limits) {
    return this.#core.refresh(limits);
  }

  at(revision, /** @type {Limits} */ { signal } = {}) {
    return this.#core.transport.call({ path: `${this.path}?revision=${Number(revision)}` }, { signal });
  }

  history(/** @type {import("./index").HistoryOptions} */ { after, since, until, by, limit = 100, signal } = {}) {
    const from = after === undefined ? "" : `after=${Number(after)}&`;
    const times = Object.entries({ since: momentOf(since), until: momentOf(until), by }).filter(([, value]) => value !== undefined);
    const period = times.map(([name, value]) => `${name}=${encodeURIComponent(value)}&`).join("");
    return this.#core.transport.call({ path: `${this.path}/history?${from}${period}limit=${Number(limit)}` }, { signal });
  }

  // MARK: Posting

  /** Resolves to the answer once the snapshot shows its effect. If the answer of an older service lacks the details, these are read separately. */
  async post(path, given, /** @type {import("./types").PostOptions & { plan?: boolean }} */ { plan = false, ...options } = {}) {
    // A copy in the form that is sent. The app may change the object while the post waits, and a Proxy can neither be stored nor sent to another page.
    const copy = given === undefined ? undefined : JSON.parse(JSON.stringify(given));
    return plan ? this.#core.posting.plan(path, copy, options) : this.#core.role.post(path, copy, options);
  }

  async step(name, params, { from = this.#core.binding.speaker, ...options } = {}) {
    const hasParams = params && Object.keys(params).length > 0;
    return actions.act.call(this, { step: name, ...(hasParams ? { params } : {}) }, { ...options, from });
  }

  async prepare(/** @type {object[]} */ actions, /** @type {Limits} */ { signal } = {}) {
    const answer = await this.#core.transport.call({ method: "POST", path: `${this.path}/predictions`, body: { actions } }, { signal });
    this.#core.served.add(answer.revision, actions, answer.predictions);
    return answer.predictions;
  }

  end(/** @type {import("./index").EndOptions} */ { ifMatch, signal } = {}) {
    return this.#core.finish({ ifMatch, signal });
  }

  close() {
    this.#core.end("closed");
  }
}

Object.assign(Session.prototype, actions);

/** Returns a time as the service reads it. */
function momentOf(/** @type {Date | number | string | undefined} */ time) {
  return typeof time === "object" || typeof time === "number" ? new Date(time).toISOString() : time;
}
