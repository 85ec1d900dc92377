import { actions } from "./actions.js";
import { SessionCore } from "./session/core.js";

/** @typedef {import("./index").Limits} Limits */

/**
 * A session as its client knows it: an up-to-date snapshot, and functions that post actions. `connect` and `start` create it. The classes in `session/` do the
 * work.
 */
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

  /** Begins to keep the session, or sends the posts that an earlier page left in the storage. */
  attach() {
    return this.#core.attach();
  }

  // MARK: Reading

  get id() { return this.#core.identity.id; }
  get secret() { return this.#core.identity.secret; }
  get path() { return this.#core.identity.path; }
  /** Whether the service does not have the session yet, because it began without a network. */
  get isLocal() { return this.#core.role.isLocal; }
  get tree() { return this.#core.picture.now.tree; }
  get stack() { return this.#core.picture.now.stack; }
  get visible() { return this.#core.picture.now.visible; }
  get revision() { return this.#core.picture.now.revision; }
  get facts() { return this.#core.picture.now.facts; }
  get accepts() { return this.#core.picture.now.accepts; }
  get pending() { return this.#core.picture.now.pending; }

  /** Returns the snapshot, which is the same object until something changes. */
  getSnapshot = () => this.#core.picture.now;

  /** Calls `listener` after each change. Returns a function that removes the listener. The events are followed while there is a listener. */
  subscribe = (listener) => this.#core.audience.subscribe(listener);

  /** Calls `listener` with each action that the service has refused: `{ action, code, problem }`. Returns a function that removes the listener. */
  onRejected(listener) {
    return this.#core.audience.onRejected(listener);
  }

  /**
   * Calls `listener` when a guard has asked before Back leaves the app, and the user has agreed in this page: as soon as the engine or the service reports it.
   * Returns a function that removes the listener.
   */
  onExit(listener) {
    return this.#core.audience.onExit(listener);
  }

  /**
   * Returns the changes from now on, each once, until the session ends or is closed. At most `limit` events wait for the reader.
   * @param {import("./index").EventsOptions} options
   */
  events({ limit } = {}) {
    return this.#core.audience.events({ after: this.revision, limit, isOver: this.#core.isOver });
  }

  /** Returns a key for a node's view, which stays the same when a predicted node gets its id from the service. Without an engine it is the node's id. */
  keyOf = (id) => this.#core.predictions.keys.of(id);

  /** Returns the id of the node whose view has this key. */
  idOf = (key) => this.#core.predictions.keys.idOf(key);

  /** Reads the whole session. */
  refresh(limits) {
    return this.#core.refresh(limits);
  }

  /**
   * Reads the session as it was at a revision.
   * @param {number} revision @param {Limits} options
   */
  at(revision, { signal } = {}) {
    return this.#core.transport.call({ path: `${this.path}?revision=${Number(revision)}` }, { signal });
  }

  /**
   * Reads a page of the history. If `after` is missing, the page begins with the first remaining entry. If the entry that follows `after` has been removed, the
   * promise is rejected with the code `history-gone` and `firstRevision`, the first revision that can be read.
   * @param {{ after?: number, limit?: number } & Limits} options
   */
  history({ after, limit = 100, signal } = {}) {
    const from = after === undefined ? "" : `after=${Number(after)}&`;
    return this.#core.transport.call({ path: `${this.path}/history?${from}limit=${Number(limit)}` }, { signal });
  }

  // MARK: Posting

  /**
   * Posts to a path below the session's. Resolves once the snapshot shows the effect. An older service answers without details; they are then read separately.
   * @param {string} path @param {unknown} given @param {import("./types").PostOptions & { plan?: boolean }} options
   */
  async post(path, given, { plan = false, ...options } = {}) {
    // A copy in the form that is sent. The app may change the object while the post waits, and a Proxy can neither be stored nor sent to another page.
    const copy = given === undefined ? undefined : JSON.parse(JSON.stringify(given));
    return plan ? this.#core.posting.plan(path, copy, options) : this.#core.role.post(path, copy, options);
  }

  /**
   * Posts a step of the screen that is visible now, unless `from` names another screen. If `from` is null, the screen that is visible when the step arrives
   * sends it. A node's id only names the sender; a screen's node (`id` and `name`) is bound in the same way as the visible screen.
   */
  async step(name, params, { from = this.#core.binding.speaker, ...options } = {}) {
    const hasParams = params && Object.keys(params).length > 0;
    return actions.act.call(this, { step: name, ...(hasParams ? { params } : {}) }, { ...options, from });
  }

  /**
   * Requests predictions of up to 32 actions, so that the effect of the next posted action is shown at once. The service predicts steps with params only on
   * request. Resolves to one element per action, with `changes` or `error`.
   * @param {object[]} actions @param {Limits} options
   */
  async prepare(actions, { signal } = {}) {
    const answer = await this.#core.transport.call({ method: "POST", path: `${this.path}/predictions`, body: { actions } }, { signal });
    this.#core.served.add(answer.revision, actions, answer.predictions);
    return answer.predictions;
  }

  /**
   * Ends the session in the service, or discards a session that the service does not have yet.
   * @param {import("./index").EndOptions} options
   */
  end({ ifMatch, signal } = {}) {
    return this.#core.finish({ ifMatch, signal });
  }

  /** Closes the session in this page; it stays open in the service. Waiting posts are rejected, unless a storage keeps them. */
  close() {
    this.#core.end("closed");
  }
}

Object.assign(Session.prototype, actions);
