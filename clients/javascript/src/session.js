import { CairnProblem, sessionOver } from "./problem.js";
import { Outbox, storeIn } from "./outbox.js";
import { actions } from "./actions.js";
import { hasExit } from "./exit.js";
import { lastWord } from "./follow.js";
import { Picture } from "./picture.js";
import { Audience } from "./session/audience.js";
import { Binding } from "./session/binding.js";
import { CatchUp } from "./session/catch-up.js";
import { Connection } from "./session/connection.js";
import { EnginePredictions } from "./session/engine-predictions.js";
import { Identity } from "./session/identity.js";
import { Pages } from "./session/pages.js";
import { Posting } from "./session/posting.js";
import { ServicePredictions } from "./session/service-predictions.js";
import { limits } from "./storage/kept.js";
import { readWhole } from "./transport.js";

/** Maximum number of waiting posts: with an engine, which shows them at once, and without one. */
const mostWaiting = { predicted: limits.actions, plain: 100 };

/**
 * A session as its client knows it: an up-to-date snapshot, and functions that post actions. `connect` and `start` create it. The classes in `session/` do the
 * work; this class connects them.
 */
export class Session {
  #transport;
  #identity;
  #picture;
  #audience = new Audience(() => this.#tend());
  #binding;
  #outbox;
  #connection;
  #catchUp;
  #engine;
  /** The predictions by the service, which are shown without an engine. */
  #served;
  /** The session's content that outlives the page; undefined if the content is not kept, and the page does not share the session. */
  #pages;
  #posting;
  /** The end of the session in this page, as `{ problem, done }`; undefined if it has not ended. */
  #ending;

  /** @param {{ body: object, id: string, streams: boolean }} whole the session in the form that `readWhole` returns */
  constructor(whole, transport, options = {}) {
    const { keeping, predict, details: hasDetails = true, onNotice = (message, cause) => console.warn(message, cause) } = options;
    const picture = new Picture(whole, () => this.#tell());
    const identity = new Identity(whole.body.id, transport);
    [this.#transport, this.#identity, this.#picture] = [transport, identity, picture];
    this.opened = whole.body.opened;
    if (options.onRejected) this.#audience.onRejected(options.onRejected);
    if (options.onExit) this.#audience.onExit(options.onExit);
    this.#binding = new Binding({
      picture, keys: () => this.#engine.keys, hasEngine: () => this.#engine.isThere,
      isUpToDate: () => (this.#pages?.isFollowing ? !this.#pages.isWaiting : picture.now.predicts || this.#outbox.size === 0),
    });
    this.#served = new ServicePredictions(picture, predict === true);
    this.#served.note(whole.body);
    this.#outbox = this.#outboxOf(whole, options);
    this.#connection = new Connection({
      transport, picture, follow: options.follow, headers: () => this.#asks, position: () => this.#pages?.beginEvents() ?? picture.newest,
      onMessage: (type, data, id) => this.#hear(type, data, id), onOffline: () => this.#engine.giveUp(), onOver: (reason) => this.#end(reason),
    });
    this.#connection.begin(whole, this.path);
    this.#catchUp = new CatchUp({
      picture, hasDetails, isHeld: () => this.#isHeld, isPosting: () => this.#outbox.size > 0 && !this.#connection.isInTrouble,
      read: () => this.refresh(),
    });
    this.#engine = new EnginePredictions({
      transport, identity, picture, outbox: this.#outbox, keeping, isWanted: predict !== false, isOffline: () => this.#connection.isOffline,
      showWithout: () => this.#served.show(), onNotice,
    });
    this.#posting = new Posting({
      transport, identity, picture, outbox: this.#outbox, engine: this.#engine, hasDetails, asks: () => this.#asks,
      onRefused: (refused) => this.#report(refused),
    });
    if (keeping) this.#pages = this.#pagesOf(whole, options, onNotice);
    else this.#engine.begin(whole.engine);
  }

  #outboxOf({ body, engine }, { keeping, predict, outbox, storage, onRefused }) {
    const { machine } = this.#transport;
    const isPredicted = keeping !== undefined || (predict !== false && engine !== undefined);
    const kept = keeping && { isPatient: true, save: () => keeping.save(), flush: () => keeping.save() };
    return new Outbox({
      transport: this.#transport, machine, bound: outbox ?? (isPredicted ? mostWaiting.predicted : mostWaiting.plain), onRefused,
      store: kept ?? (storage && storeIn(storage, `cairn-outbox:${body.id}`)),
      isHeld: () => this.#isHeld,
      onChange: (answer, ended) => this.#sent(answer, ended),
      refusal: (post) => this.#binding.refusal(post),
      onTurn: (post) => this.#turn(post),
      onTrouble: () => this.#connection.fail(),
      before: keeping && (() => keeping.isStillLeading()),
    });
  }

  #pagesOf(whole, { keeping, creator, kept, beginning }, onNotice) {
    return new Pages({
      keeping, whole, transport: this.#transport, creator, kept, beginning, identity: this.#identity, picture: this.#picture, outbox: this.#outbox, engine: this.#engine,
      put: (event) => this.#put(event), reject: (rejected) => this.#reject(rejected), headers: () => this.#posting.headers,
      post: (...given) => this.post(...given), refresh: (limits) => this.refresh(limits), finish: () => this.end(),
      begin: (created) => this.#connection.begin(created, this.path), leave: () => this.#leave(), tend: () => this.#tend(), end: (reason) => this.#end(reason), onNotice,
    });
  }

  /** Begins to keep the session, and to share it with the browser's other pages. */
  attach() {
    return this.#pages.attach();
  }

  /** Sends the posts that an earlier page left in the storage. */
  restore() {
    return this.#outbox.restore();
  }

  // MARK: Reading

  get id() { return this.#identity.id; }
  get secret() { return this.#identity.secret; }
  get path() { return this.#identity.path; }
  /** Whether the service does not have the session yet, because it began without a network. */
  get isLocal() { return this.#pages?.isLocal === true; }
  get tree() { return this.#picture.now.tree; }
  get stack() { return this.#picture.now.stack; }
  get visible() { return this.#picture.now.visible; }
  get revision() { return this.#picture.now.revision; }
  get facts() { return this.#picture.now.facts; }
  get accepts() { return this.#picture.now.accepts; }
  get pending() { return this.#picture.now.pending; }

  /** Returns the snapshot, which is the same object until something changes. */
  getSnapshot = () => this.#picture.now;

  /** Calls `listener` after each change. Returns a function that removes the listener. The events are followed while there is a listener. */
  subscribe = (listener) => this.#audience.subscribe(listener);

  /** Calls `listener` with each action that the service has refused: `{ action, code, problem }`. Returns a function that removes the listener. */
  onRejected(listener) {
    return this.#audience.onRejected(listener);
  }

  /**
   * Calls `listener` when a guard has asked before Back leaves the app, and the user has agreed in this page: as soon as the engine or the service reports it.
   * Returns a function that removes the listener.
   */
  onExit(listener) {
    return this.#audience.onExit(listener);
  }

  /** Returns the changes from now on, each once, until the session ends or is closed. At most `limit` events wait for the reader. */
  events({ limit } = {}) {
    return this.#audience.events({ after: this.revision, limit, isOver: this.#isOver });
  }

  /** Returns a key for a node's view, which stays the same when a predicted node gets its id from the service. Without an engine it is the node's id. */
  keyOf = (id) => this.#engine.keys.of(id);

  /** Returns the id of the node whose view has this key. */
  idOf = (key) => this.#engine.keys.idOf(key);

  /** Reads the whole session. */
  async refresh({ signal } = {}) {
    const since = this.revision;
    // The replica is read in a separate request, with the number of this client's newest action.
    const headers = this.#engine.isThere ? {} : this.#asks;
    const whole = await this.#transport.call({ path: this.path, headers }, { signal, read: readWhole });
    this.#served.note(whole.body);
    this.#adopt(whole, { since });
    this.#pages?.read(whole);
  }

  /** Reads the session as it was at a revision. */
  at(revision, { signal } = {}) {
    return this.#transport.call({ path: `${this.path}?revision=${Number(revision)}` }, { signal });
  }

  /**
   * Reads a page of the history. If `after` is missing, the page begins with the first remaining entry. If the entry that follows `after` has been removed, the
   * promise is rejected with the code `history-gone` and `firstRevision`, the first revision that can be read.
   */
  history({ after, limit = 100, signal } = {}) {
    const from = after === undefined ? "" : `after=${Number(after)}&`;
    return this.#transport.call({ path: `${this.path}/history?${from}limit=${Number(limit)}` }, { signal });
  }

  // MARK: Posting

  /**
   * Posts to a path below the session's. Resolves once the snapshot shows the effect. An older service answers without details; they are then read separately.
   */
  async post(path, given, { plan = false, from, ...options } = {}) {
    // A copy in the form that is sent. The app may change the object while the post waits, and a Proxy can neither be stored nor sent to another page.
    const copy = given === undefined ? undefined : JSON.parse(JSON.stringify(given));
    if (plan) return this.#posting.plan(path, copy, options);
    if (this.#isOver) throw this.#ending.problem;
    const { body, ...bound } = path === "/actions" ? this.#binding.bind(copy, from) : { body: copy };
    // A post with a `uid` belongs to another page, or is a post of this page whose own call handles the answer.
    const onExit = options.uid === undefined ? () => this.#audience.exit() : () => {};
    if (this.#pages?.isFollowing) {
      const answer = await this.#pages.post(path, body, { ...options, ...bound });
      if (hasExit(answer)) onExit();
      return answer;
    }
    const answer = await this.#posting.post(path, body, { ...options, ...bound, onExit });
    await this.#catchUp.run();
    return answer;
  }

  /**
   * Posts a step of the screen that is visible now, unless `from` names another screen. If `from` is null, the screen that is visible when the step arrives
   * sends it. A node's id only names the sender; a screen's node (`id` and `name`) is bound in the same way as the visible screen.
   */
  async step(name, params, { from = this.#binding.speaker, ...options } = {}) {
    const hasParams = params && Object.keys(params).length > 0;
    return this.act({ step: name, ...(hasParams ? { params } : {}) }, { ...options, from });
  }

  /**
   * Requests predictions of up to 32 actions, so that the effect of the next posted action is shown at once. The service predicts steps with params only on
   * request. Resolves to one element per action, with `changes` or `error`.
   */
  async prepare(actions, { signal } = {}) {
    const answer = await this.#transport.call({ method: "POST", path: `${this.path}/predictions`, body: { actions } }, { signal });
    this.#served.add(answer.revision, actions, answer.predictions);
    return answer.predictions;
  }

  /** Ends the session in the service, or discards a session that the service does not have yet. */
  async end({ ifMatch, signal } = {}) {
    if (!this.isLocal) await this.#delete({ ifMatch, signal });
    else if (this.#pages.isFollowing) await this.#pages.endElsewhere({ signal });
    await this.#end("deleted");
  }

  /** Has the service end the session. The session also ends here if the service does not have it, or no longer accepts the secret. */
  async #delete({ ifMatch, signal }) {
    let isRepeated = false;
    const onTrouble = (problem) => { isRepeated ||= problem.isUnanswered; };
    try {
      await this.#transport.call({ method: "DELETE", path: this.path, headers: this.#posting.condition(ifMatch) }, { signal, onTrouble });
    } catch (problem) {
      const reason = lastWord(problem);
      // 403 forbids the request, not the session.
      if (reason === undefined || problem.status === 403) throw problem;
      // An earlier attempt, whose response was lost, has ended the session.
      if (isRepeated) return;
      await this.#end(reason);
      throw problem;
    }
  }

  /** Closes the session in this page; it stays open in the service. Waiting posts are rejected, unless a storage keeps them. */
  close() {
    this.#end("closed");
  }

  /** The headers of a read whose response contains predictions, or the content that an engine needs. */
  get #asks() {
    return this.#engine.isThere ? { Prefer: "replica" } : this.#served.headers;
  }

  // MARK: Answers and events

  get #isOver() {
    return this.#ending !== undefined;
  }

  /** Whether this page neither posts nor reads, because another page leads, or because the service does not have the session yet. */
  get #isHeld() {
    return this.#pages !== undefined && (this.#pages.isLocal || this.#pages.isFollowing);
  }

  /** Follows the events while there are listeners, readers or other pages. */
  #tend() {
    if (this.#isOver) return;
    if (this.#pages?.isFollowing) return this.#pages.listen(this.#audience.hasReaders);
    if (this.#isHeld) return;
    if (this.#audience.isEmpty && !this.#pages?.hasPeers) this.#connection.stop();
    else this.#connection.start();
  }

  /** Stops following the events. The leading page follows them from now on, and sends them to this page. */
  #leave() {
    this.#connection.close();
    this.#pages.listen(this.#audience.hasReaders, this.#connection.position);
  }

  /** Shows the predicted effect of a post, if the service makes the predictions. */
  #turn(post) {
    if (!this.#engine.isThere && post.path === `${this.path}/actions`) this.#served.turn(post);
  }

  /** Shows the number of waiting posts, and the effect of the posts that have ended, as one change. */
  #sent(answer, ended = []) {
    if (answer) this.#served.note(answer);
    this.#pages?.ended(ended);
    this.#picture.batch(() => {
      if (answer) this.#picture.absorb(answer);
      for (const { answer: own } of ended) if (own?.problem?.revision !== undefined) this.#picture.expect(own.problem.revision);
      this.#engine.answered(ended);
      if (!this.#engine.isThere) this.#served.settle(this.#outbox.first);
      this.#engine.show();
      this.#connection.posted(this.#outbox.size, answer !== undefined);
    });
    for (const { item: { uid, body: action, definition, isReported }, problem } of ended) {
      if (problem instanceof CairnProblem && problem.code !== "aborted") this.#report({ uid, action, problem, definition, isReported });
    }
    if (ended.length > 0) this.#engine.loadAgain();
    this.#catchUp.run({ isPatient: true });
  }

  /** Reports a refused action to the listeners in all pages. With `isReported` this page's listeners are not called, because `onRefused` receives the problem. */
  #report({ uid, action, problem, definition, isReported }) {
    this.#pages?.reject({ uid, action, problem, definition });
    if (!isReported) this.#reject({ action, problem });
  }

  #reject({ action, problem }) {
    this.#audience.reject({ action, code: problem.code, problem });
  }

  #hear(type, data, id) {
    if (type === "migrated") this.#engine.moved(data.definition);
    if (type !== "reset" && type !== "change") return;
    this.#served.note(data);
    if (type === "reset") this.#adopt({ body: data, id });
    else this.#absorb(data, id);
    this.#catchUp.run({ isPatient: true });
    const event = type === "reset" ? { type, revision: data.revision, session: data } : { type, ...data };
    this.#put(event);
    this.#pages?.share(event, id);
  }

  #put(event) {
    this.#audience.put(event, this.#picture.confirmed);
  }

  /** Replaces the snapshot by a whole session. */
  #adopt(whole, since) {
    this.#picture.batch(() => {
      this.#picture.adopt(whole, since);
      this.#engine.expect(this.revision, whole.body.replica);
      this.#engine.show();
    });
  }

  /** Handles an event, which an action of this client may have caused. */
  #absorb(data, id) {
    this.#picture.batch(() => {
      this.#picture.absorb(data, id);
      this.#engine.heard(data);
      this.#engine.show();
    });
  }

  #tell() {
    this.#audience.recover(this.#picture.confirmed);
    this.#pages?.changed();
    this.#audience.notify();
  }

  /** Ends the session in this page. Resolves when the stored content has been deleted, or stored for the next page. */
  #end(reason) {
    if (this.#ending === undefined) {
      const isOver = reason !== "closed";
      const problem = isOver ? sessionOver(reason) : new CairnProblem({ code: "closed", detail: "this page has closed the session" });
      this.#ending = { problem };
      this.#ending.done = this.#finish({ reason, isOver, problem });
    }
    return this.#ending.done;
  }

  async #finish({ reason, isOver, problem }) {
    const show = () => {
      this.#picture.set({ over: reason, connection: "over" });
      this.#audience.finish();
    };
    this.#connection.close();
    // The pages store the engine's content, so they end before the engine is closed.
    const stored = this.#pages?.end({ isOver, problem, reason });
    const isShownLater = isOver && stored !== undefined;
    if (!isShownLater) show();
    this.#engine.close();
    this.#outbox.close(problem);
    try {
      await stored;
    } finally {
      // A page that is loaded after the end is shown must not find the session in the storage.
      if (isShownLater) show();
    }
  }
}

Object.assign(Session.prototype, actions);
