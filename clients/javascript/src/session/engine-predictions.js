import { isGesture } from "../actions.js";
import { CairnProblem } from "../problem.js";
import { Replica } from "../replica.js";
import { isStale, staleAnswer } from "../stale.js";
import { hasSecret } from "../storage/secrecy.js";
import { ViewKeys } from "../view-keys.js";
import { Ticks } from "./ticks.js";

/** @typedef {import("../post.js").Post} Post */

/** The time for which steps wait for the result of an action that cannot be predicted, in milliseconds. */
const patience = 2000;

/** The reasons for which the engine does not show the effect of an action that the service may perform. */
const undecided = new Set(["loading", "unpredictable", "waiting"]);

/** The actions, apart from gestures, that an engine always shows. */
const alwaysShown = new Set(["appState", "cancel"]);

/**
 * The predictions of a session. An engine runs, shows and numbers each action at once. Without an engine, the service's predictions are shown, and actions are
 * numbered only if they are stored.
 */
export class EnginePredictions {
  /** @type {Replica | undefined} the session in an engine; undefined if there is no engine */
  #replica;
  /** The keys of views. They are kept when the engine is lost, or when another page leads. */
  keys = new ViewKeys();
  /** Whether an earlier page's view of its pending actions is shown, because the engine has not returned one yet. */
  #isOfEarlierPage = false;
  /** The timer that ends the wait of steps for an action that cannot be predicted. */
  #patience;
  #ticks;
  #core;
  #keeping;
  #isWanted;

  /**
   * @param {import("./core.js").SessionCore} core @param {boolean} isWanted whether an engine may be loaded
   * @param {import("../keeping.js").Keeping} [keeping]
   */
  constructor(core, isWanted, keeping) {
    this.#core = core;
    this.#ticks = new Ticks(core);
    this.#isWanted = isWanted;
    this.#keeping = keeping;
  }

  // MARK: The engine

  /** Whether an engine is loaded or being loaded. */
  get isThere() { return this.#replica !== undefined; }
  /** The headers of a request whose response contains predictions, or the content that an engine needs. */
  get headers() { return this.isThere ? { Prefer: "replica" } : this.#core.served.headers; }

  /** The time for which the app works offline, in milliseconds; undefined if it declares none, or if nothing is predicted. */
  get offlineFor() { return this.#replica?.offlineFor; }

  /** Returns the names of the secret params of a step; an empty list if they are not known. */
  secretParams(action) {
    return this.#replica?.secretParams(action) ?? [];
  }

  /** The newest confirmed revision that the shown tree contains. */
  get seen() {
    const { picture } = this.#core;
    return picture.isPredicted && this.#replica?.isReady ? this.#replica.revision : picture.confirmed.revision;
  }

  /** The next tick of a timer that a waiting action has started; undefined if there is none. */
  get nextTick() { return this.#replica?.nextTick; }

  /** Posts the ticks that are due before an action of the user. */
  tick() {
    this.#ticks.catchUp();
  }

  /** Loads the engine of a path in the background. `kept` is the content that an earlier page kept for it. */
  begin(path, kept) {
    if (!this.#isWanted || path === undefined) return;
    if (!this.#core.transport.machine.webAssembly) {
      // React Native's JavaScript engine has no WebAssembly, so neither Cairn's engine nor the state for it is requested.
      this.#isWanted = false;
      return this.lose(new Error("this platform has no WebAssembly"));
    }
    this.#replica = new Replica(this.#core, path, kept, this.#keeping?.fetchEngine);
    this.#load();
  }

  async #load() {
    await this.#replica.load();
    this.giveUp();
  }

  /** Adopts the service's engine. `isOther` says whether the service had another engine before, or no engine. */
  meet(path, isOther) {
    if (!this.#isWanted || path === undefined) return;
    if (this.#replica === undefined) {
      if (isOther) this.begin(path);
      return;
    }
    if (!isOther) return this.loadAgain();
    this.#replica.enginePath = path;
    this.moved();
  }

  /** Adopts another definition, with this hash if it is known. The engine begins again with it once no post waits. */
  moved(definition = this.#core.picture.now.definition) {
    if (this.#replica === undefined) {
      if (this.#keeping) this.#core.picture.set({ definition });
      return;
    }
    this.#replica.pause();
    this.#showAs({ predicts: false, definition });
    this.loadAgain();
    this.giveUp();
  }

  /** Loads an engine that is not ready, for example because an earlier attempt failed. Does nothing while posts wait. */
  loadAgain() {
    if (this.#replica && !this.#replica.isReady && this.#core.outbox.size === 0) this.#load();
  }

  changed(replica) {
    if (replica !== this.#replica) return;
    this.#core.picture.batch(() => {
      replica.reach(this.#core.picture.confirmed.revision);
      this.#core.picture.set({ predicts: replica.isReady });
      this.show();
    });
    this.#core.contact.check();
  }

  /**
   * Passes the definition and the address of its engine to the outbox's store. The store reads from the definition which params are secret. With `keep`, it
   * also stores both.
   */
  learn(hash, text, engine) {
    this.#core.outbox.store?.learn?.({ app: this.#core.picture.now.app, hash, text, engine });
  }

  keep() {
    this.#keeping?.save();
  }

  /** Continues without an engine, and reports the problem, unless the session has ended. */
  lose(problem) {
    this.#replica = undefined;
    this.#showAs({ predicts: false });
    if (this.#core.picture.now.over === undefined) this.#core.onNotice("the engine cannot be used: actions are shown when the service has responded", problem);
  }

  /** Stops predicting until `begin` is called. The shown view stays. */
  close() {
    this.#replica?.close();
    this.#replica = undefined;
    this.#endWait();
    this.#ticks.close();
  }

  // MARK: Showing

  /** Shows the confirmed session with the pending actions, as the engine has run them. */
  show() {
    if (this.#isOfEarlierPage && this.#replica && !this.#replica.isReady && this.#core.outbox.size > 0) return;
    this.#isOfEarlierPage = false;
    if (this.#replica?.isWaiting) this.#waitForDecision();
    else this.#endWait();
    if (this.#replica) this.#core.picture.show(this.#replica.view);
    else this.#core.served.show();
    this.#ticks.follow(this.nextTick);
  }

  /** Shows the view that an earlier browser page of this session stored, until the engine has computed a new one. */
  showEarlier(view) {
    this.#isOfEarlierPage = true;
    this.#core.picture.show(view);
  }

  #showAs(members) {
    this.#core.picture.batch(() => {
      this.#core.picture.set(members);
      this.show();
    });
  }

  // MARK: Actions

  /**
   * Runs a post in the engine if there is one, and numbers it if it can have a number. Returns `{ answer }` or `{ problem, isRefused }` if the post must not be
   * sent, otherwise undefined.
   */
  take(post, isQueued) {
    const isNumbered = this.#isNumbered(post);
    if (this.#keeping && !isNumbered) post.keepKey();
    if (this.#replica) return this.#run(post, isNumbered, isQueued);
    if (!this.#keeping) return undefined;
    post.definition ??= this.#definition;
    if (isNumbered) this.#number(post, this.#core.outbox.numbering.take(), post.body);
    return undefined;
  }

  #number(/** @type {Post} */ post, number, action) {
    post.take(this.#core.outbox.numbering.client, number);
    [post.order, post.action] = [number, action];
  }

  /** @param {Post} post @returns {import("../types").End | undefined} */
  #run(post, isNumbered, isQueued) {
    const replica = this.#replica;
    const { numbering } = this.#core.outbox;
    const overflow = this.#core.outbox.overflow();
    if (overflow) return { problem: overflow };
    const { body } = post;
    if (isNumbered && !post.isRetried) post.body = replica.posted(body);
    post.order = numbering.take();
    post.definition ??= this.#definition;
    if (isNumbered) this.#number(post, post.order, body);
    const { reason, refusal, exit } = replica.predict(post);
    post.wasShown = reason === undefined;
    post.exits = exit === true;
    const end = this.#endAtOnce(post, reason, refusal);
    if (end !== undefined) {
      replica.answered(post.order);
      return end;
    }
    const isShownLater = reason === "loading" && isNumbered && (isGesture(body) || alwaysShown.has(body.type));
    post.needsNetwork = (reason === "unpredictable" || reason === "loading") && !isShownLater && (!isQueued || replica.hasSecret(body));
    if (!post.needsNetwork || !replica.isUnknown(post.order) || !this.#core.connection.isOffline) return undefined;
    if (this.#keeping && reason === "loading") {
      this.giveUp();
      return undefined;
    }
    replica.answered(post.order);
    return { problem: offline() };
  }

  /**
   * Returns the result of a post that the engine has refused, or that changes nothing; undefined if the post has to be sent. An action on a screen that the
   * user no longer sees is not posted. Without a network, a gesture without effect is not posted either, because later it could act on a node that the user has
   * not seen.
   */
  #endAtOnce(post, reason, refusal) {
    if (reason === undefined || undecided.has(reason) || post.isRetried) return undefined;
    const problem = refusal === undefined ? undefined : new CairnProblem({ code: reason, detail: refusal });
    if (problem && isStale(post, problem)) return { answer: staleAnswer(problem) };
    if (!isGesture(post.action) || !this.#core.connection.isOffline) return undefined;
    return problem ? { problem, isRefused: true } : { answer: { outcome: "unchanged", reason, events: [], changes: [] } };
  }

  /** Rejects the posts whose effects are not shown, and that cannot be sent without a network, except those that may wait for the network. */
  async giveUp() {
    if (this.#replica === undefined || !this.#core.connection.isOffline) return;
    // Another page may lead by now, and then sends the posts.
    if (this.#keeping && !(await this.#keeping.isStillLeading())) return;
    const replica = this.#replica;
    if (replica && this.#core.connection.isOffline) this.#core.outbox.refuseUnsent((post) => post.needsNetwork && replica.isUnknown(post.order), offline());
  }

  /** Returns whether a post can be numbered. A post that may have a secret has a key instead, under which another page may send it again. */
  #isNumbered(post) {
    return post.isNumberable && (!this.#keeping || post.isRetried || this.#keeping.mayStore(post.body, post.definition ?? this.#definition));
  }

  /** Returns whether an action is known to have a token, a code or a secret param. */
  hasSecret(action) {
    return this.#replica ? this.#replica.hasSecret(action) : hasSecret(action, undefined);
  }

  /** The hash of the definition that the user sees. While nothing is predicted, this is the definition of the confirmed session, which may have changed. */
  get #definition() { return this.#replica?.isReady ? this.#replica.definition : this.#core.picture.now.definition; }

  /** After a pause, shows the steps that wait for an action that cannot be predicted. Repeats the pause while there is no network. */
  #waitForDecision() {
    this.#patience ??= this.#core.transport.machine.timers.set(() => {
      this.#patience = undefined;
      if (this.#core.connection.isOffline) return this.#waitForDecision();
      this.#replica?.proceed();
      this.show();
    }, patience);
  }

  /** Ends the wait of the steps, so that the next wait has its full length. */
  #endWait() {
    if (this.#patience !== undefined) this.#core.transport.machine.timers.clear(this.#patience);
    this.#patience = undefined;
  }

  // MARK: The service's answers

  /** Shows the predicted effect of the first waiting post, if the service makes the predictions. */
  turn(post) {
    if (!this.isThere && post.path === `${this.#core.identity.path}/actions`) this.#core.served.turn(post);
  }

  answered(ended) {
    for (const { item, answer } of ended) this.#replica?.answered(item.order, answer);
    if (!this.isThere) this.#core.served.settle(this.#core.outbox.waiting[0]);
    this.show();
  }

  heard({ revision, replica, sender }) {
    this.#replica?.heard(revision, replica, sender?.client === this.#core.outbox.numbering.client ? sender.action : 0);
  }

  /** Notes that the confirmed session has this revision, and this state if the service sent a state. */
  expect(revision, state) {
    this.#replica?.expect(revision, state);
    this.loadAgain();
  }

  created(state) {
    this.#replica?.created(state);
  }

  // MARK: Storage

  /** The content that another page needs to predict: `{ replica, definition }`. */
  get keepable() { return { replica: this.#replica?.keepable, definition: this.#replica?.definition }; }

  rebase() {
    this.#replica?.rebase();
  }
}

function offline() {
  return new CairnProblem({ code: "offline", detail: "there is no network, and the client cannot predict the action; queue: true lets it wait" });
}
