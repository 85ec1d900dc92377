import { loadEngine } from "./engine.js";
import { ReplicaRecord } from "./replica-record.js";
import { hasSecret, secretParams } from "./storage/secrecy.js";

/**
 * The session in an engine: the state that the service has confirmed, and this client's unconfirmed actions. It provides only the view that is shown while
 * actions are pending; the confirmed tree comes from the service. If the engine cannot be loaded or fails, `lose` is called once, and the client continues
 * without the engine.
 */
export class Replica {
  #engine;
  #revision = 0;
  #definition;
  /** The definition's content. */
  #declared;
  /** The numbers of the engine's pending actions. */
  #pending = new Set();
  /** The numbers of the actions whose effects are shown. */
  #shown = new Set();
  /** The reasons why the effects of the other actions were not shown when these last ran, by the numbers of the actions. */
  #reasons = new Map();
  /** Whether the state lacks entries, and no effect was shown when the first of these was missed. The confirmed session is then newer than the view. */
  #isBehind = false;
  /** The revisions of the answered actions whose entries the state lacks, by their numbers. */
  #answered = new Map();
  /** The nodes that each action has created, by its number. */
  #created = new Map();
  #isLoading = false;
  /** Incremented at each move to another definition. */
  #epoch = 0;
  #isReading = false;
  #isOver = false;
  #record = new ReplicaRecord();
  /** The newest revision that the state lacks. */
  #missing = 0;
  /** The reports of the service that the engine has not received yet. They are passed together, because the pending actions run again after each call. */
  #reports = [];
  /** The ids that the service has given to the nodes which the actions in these reports create, by the numbers of the actions. */
  #ids = new Map();

  #core;
  #kept;
  #fetchEngine;

  /**
   * @param {import("./session/core.js").SessionCore} core @param {string} enginePath
   * @param {import("./types").KeptReplica & Partial<import("./types").Beginning>} [kept] an earlier page's content, or the beginning of a local session
   * @param {typeof fetch} [fetchEngine]
   */
  constructor(core, enginePath, kept, fetchEngine = core.transport.machine.fetch) {
    this.#core = core;
    /** The path from which the engine is loaded. */
    this.enginePath = enginePath;
    this.#kept = kept;
    this.#fetchEngine = fetchEngine;
  }

  /** Whether actions are predicted. */
  get isReady() { return this.#engine !== undefined && !this.#isLoading && !this.#isOver; }
  /** The newest confirmed revision that the state contains, including the reports that the engine has not received yet. */
  get revision() { return this.#revision; }
  /** The hash of the definition by which actions are predicted; undefined before it is known. */
  get definition() { return this.#definition; }

  /** The time for which the app works offline, in milliseconds; undefined if it declares none, or before it is known. */
  get offlineFor() { return this.isReady ? this.#declared.offlineFor : undefined; }

  /** The view to show instead of the confirmed tree; undefined if nothing is pending. */
  get view() {
    // The engine gets the reports even if nothing is pending, because the confirmed tree also needs the new ids.
    const engine = this.isReady ? this.#guarded(() => this.#upToDate) : undefined;
    return engine && this.#pending.size > 0 && !this.#isBehind ? this.#guarded(() => engine.view()) : undefined;
  }

  /** @returns {import("./types").Tick | undefined} the next tick of a timer that a pending action has started */
  get nextTick() {
    return this.isReady && this.#pending.size > 0 ? this.#guarded(() => this.#upToDate.tick()) : undefined;
  }

  /** Loads engine, definition and state, and runs the waiting actions. Actions are predicted from then on. */
  async load() {
    if (this.#isLoading || this.#isOver) return;
    this.#isLoading = true;
    const epoch = this.#epoch;
    try {
      const text = this.#kept?.text;
      const isBegun = await this.#resume();
      const [engine, read] = isBegun ? [] : await Promise.all([this.#loadEngine(), this.#readBoth()]);
      this.#isLoading = false;
      if (this.#isOver) return;
      if (epoch !== this.#epoch) return this.#core.predictions.moved();
      if (!isBegun) this.#begin(engine, read.definition, read.state);
      this.#core.predictions.learn(this.#definition, read?.definition ?? text, this.enginePath);
      this.#core.predictions.changed(this);
    } catch (problem) {
      // The session has another definition or engine by now, which may work.
      if (epoch !== this.#epoch && !this.#isOver) {
        this.#isLoading = false;
        return this.#core.predictions.moved();
      }
      if (!problem.isPassing && this.#core.transport.machine.network.isOnline) return this.#end(problem);
      // The problem may be temporary. `load` is called again when the service has answered.
      this.#isLoading = false;
    }
  }

  /** Begins with the kept content. Resolves to whether the content could be used. */
  async #resume() {
    const kept = this.#kept;
    if (kept === undefined) return false;
    let engine;
    try {
      engine = await this.#loadEngine();
      if (this.#kept === undefined) return false;
    } finally {
      this.#kept = undefined;
    }
    try {
      if (kept.time === undefined) this.#begin(engine, kept.text, kept);
      else this.#beginLocal(engine, kept);
      return true;
    } catch (problem) {
      // Another engine has written the content, or the state is incomplete. The state is then read from the service.
      this.#engine = undefined;
      return false;
    }
  }

  #loadEngine() {
    return loadEngine(this.#core.transport.baseURL, this.enginePath, this.#fetchEngine);
  }

  #beginLocal(/** @type {import("./engine.js").Engine} */ engine, /** @type {Partial<import("./types").Beginning>} */ { definition, text, time }) {
    engine.define(text);
    engine.start(time);
    this.#use(engine, text, { definition, revision: engine.view().revision });
  }

  /** Adopts the state of a session that the service has created now. */
  created(replica) {
    if (!this.isReady || replica === undefined || replica.definition !== this.#definition) return this.#core.predictions.moved();
    this.#revision = 0;
    this.#adopt(replica);
  }

  /** The content that another page needs to begin; undefined if no state has been read yet. */
  get keepable() {
    const engine = this.isReady ? this.#guarded(() => this.#upToDate) : undefined;
    const covers = engine && this.#pending.size > 0 ? this.#guarded(() => engine.covers()) : undefined;
    return this.#record.content(this.#created, this.#core.outbox.waiting.map(({ body }) => body), covers);
  }

  /** Discards the kept content, and reads the present state, with which the new kept content begins. */
  rebase() {
    this.#kept = undefined;
    this.#record.begin(undefined);
    return this.#shorten();
  }

  async #shorten() {
    for (let turn = 0; turn < 5 && this.isReady; turn += 1) {
      const state = await this.#readState().catch(() => undefined);
      if (state === undefined || state.definition !== this.#definition) return;
      // An entry may have arrived during the read.
      if (state.revision !== this.#revision) continue;
      this.#record.begin(state);
      this.#core.predictions.keep();
      return;
    }
  }

  /** @param {import("./engine.js").Engine} engine @param {string} definition @param {import("./types").KeptReplica} kept */
  #begin(engine, definition, { text, log = [], created = [], covers, ...base }) {
    const { format, engine: version, ...state } = base;
    const formats = engine.formats;
    if (format !== formats.state || version !== formats.engine) {
      throw new Error(`the engine has the formats ${JSON.stringify(formats)}, but the service has ${JSON.stringify({ engine: version, state: format })}`);
    }
    engine.define(definition);
    engine.begin(state.state);
    engine.confirm(log.map((difference) => ({ number: 0, difference })));
    if (covers !== undefined) engine.setCovers(covers);
    this.#record.begin(base, log);
    for (const [order, ids] of created) this.#created.set(order, ids);
    this.#use(engine, definition, { ...state, revision: state.revision + log.length });
  }

  #use(engine, definition, state) {
    this.#engine = engine;
    this.#declared = JSON.parse(definition);
    [this.#revision, this.#definition, this.#missing, this.#isBehind] = [state.revision, state.definition, 0, false];
    this.#shown.clear();
    this.#reasons.clear();
    this.#pending.clear();
    this.#answered.clear();
    this.#reports = [];
    for (const post of this.#core.outbox.waiting) if (post.order > (state.last ?? 0)) this.#run(post);
  }

  /** Stops predicting until `load` is called, because the session has another definition. */
  pause() {
    this.#engine = undefined;
    this.#epoch += 1;
    this.#pending.clear();
    this.#reports = [];
  }

  /** Ends the predictions. No later call has an effect. */
  close() {
    this.#isOver = true;
  }

  // MARK: This client's actions

  /**
   * Runs the action of a post. A post without an action is one that the engine cannot run. Returns `{ reason, refusal, exit }`. `reason` is why the effect is
   * not shown; it is undefined if the effect is shown. `refusal` is the message if the engine refuses the action. `exit` is whether the user has agreed to
   * leave the app with this action.
   */
  predict(/** @type {import("./post.js").Post} */ post) {
    if (!this.isReady) return { reason: "loading" };
    return this.#guarded(() => this.#run(post)) ?? {};
  }

  #run(/** @type {import("./post.js").Post} */ { order, action, at, seen }) {
    const engine = this.#upToDate;
    this.#pending.add(order);
    // A secret would stay in the engine's memory, which is not cleared. The engine predicts an action with a secret only if the secret is sealed.
    const isKnown = action !== undefined && !this.hasSecret(action);
    const { reason, refusal, created, exit } = engine.predict(order, at, isKnown ? JSON.stringify(this.#resolved(action)) : "", seen);
    if (created) this.#created.set(order, created);
    if (reason === undefined) this.#shown.add(order);
    else this.#reasons.set(order, reason);
    return { reason, refusal, exit };
  }

  /** Returns the action in the form that is posted: a node that the service does not have yet is named by the action that creates it. */
  posted(action) {
    return this.isReady ? mapped(action, (id) => (typeof id === "string" ? this.#guarded(() => this.#upToDate.origin(id)) ?? id : id)) : action;
  }

  /** Returns the action with the ids that its nodes have in the engine. */
  #resolved(action) {
    return mapped(action, (node) => (typeof node === "object" ? this.#created.get(node.action)?.[node.node] ?? "n0" : node));
  }

  /** Returns the names of the secret params of a step. */
  secretParams(action) {
    return this.isReady ? secretParams(action, this.#declared) : [];
  }

  /** Returns whether an action has a token, a code, or a param that is secret by the definition. */
  hasSecret(action) {
    return hasSecret(action, this.#declared);
  }

  /** Predicts and shows the steps that wait for an unpredictable action, without waiting for its result any longer. */
  proceed() {
    if (!this.isReady) return;
    this.#guarded(() => this.#take(this.#upToDate.proceed()));
    for (const order of this.#pending) this.#shown.add(order);
    for (const order of this.#pendingAs("waiting")) this.#reasons.delete(order);
  }

  /** Whether a step waits for the result of an action that cannot be predicted. */
  get isWaiting() {
    const [first] = this.#pendingAs("unpredictable");
    return this.isReady && this.#pendingAs("waiting").some((order) => order > first);
  }

  /** Returns whether the effect of an action is unknown, because the engine cannot predict this action, or cannot be used at all. */
  isUnknown(order) {
    return this.isReady ? this.#reasons.get(order) === "unpredictable" : !this.#isLoading && !this.#shown.has(order);
  }

  #pendingAs(reason) {
    return [...this.#pending].filter((order) => this.#reasons.get(order) === reason);
  }

  /** Handles the end of a post. The answer is undefined if the post was refused. */
  answered(/** @type {number | undefined} */ order, /** @type {import("./types").Reply} */ answer = undefined) {
    if (!this.isReady) return;
    const { revision, outcome, replica, created, answers } = answer ?? {};
    if (answers) {
      this.#guarded(() => this.#forget(order));
      for (const one of answers) if (one.outcome !== "unchanged") this.heard(one.revision, one.replica);
      return;
    }
    if (created) this.#ids.set(order, created);
    const isEntry = outcome === "performed" || outcome === "pending" || outcome === "known";
    if (isEntry && revision > this.#revision) {
      this.#answered.set(order, revision);
      return this.heard(revision, replica, order);
    }
    this.#guarded(() => this.#forget(order));
  }

  #forget(order) {
    this.#answered.delete(order);
    if (this.#pending.delete(order)) this.#reports.push({ number: order });
  }

  // MARK: The service's entries

  /** The engine, after it has received all reports. */
  get #upToDate() {
    const reports = this.#reports.splice(0);
    if (reports.length > 0) this.#take(this.#engine.confirm(reports));
    for (const [order, ids] of this.#ids) this.#created.set(order, ids);
    this.#ids.clear();
    return this.#engine;
  }

  /** Applies the difference of an entry. `order` is the number of this client's action, or 0 for any other action. */
  heard(revision, replica, order = 0) {
    if (!this.isReady || revision <= this.#revision) return;
    const isNext = revision === this.#revision + 1 && replica?.difference !== undefined;
    if (!isNext) return this.#lack(revision);
    this.#reports.push({ number: order, difference: replica.difference });
    this.#revision = revision;
    this.#record.add(replica.difference, order);
    if (this.#record.isLong) this.#shorten();
    // The engine also drops the earlier pending actions, because they had no effect.
    for (const ended of [...this.#pending]) if (ended <= order) this.#pending.delete(ended);
    for (const ended of [...this.#answered.keys()]) if (ended <= order) this.#answered.delete(ended);
  }

  /** Notes the revision of the confirmed session, and its state if there is `whole`. A lower revision means that the service was restored from a backup. */
  expect(revision, whole) {
    if (!this.isReady || revision === this.#revision) return;
    if (revision < this.#revision) {
      [this.#revision, this.#missing] = [0, 0];
      for (const order of this.#answered.keys()) this.#answered.set(order, 0);
    }
    // This response lacks the number of this client's newest action in the state, so the recorded number is used.
    if (whole?.revision === revision && this.#pending.size === 0) return this.#adopt({ ...whole, last: this.#record.last });
    this.#lack(revision);
  }

  /** Reads the state until it contains this revision, because entries are missing. Makes one read at a time. */
  async #lack(revision) {
    this.#missing = Math.max(this.#missing, revision);
    if (this.#isReading) return;
    this.#isReading = true;
    this.#isBehind = ![...this.#pending].some((order) => this.#shown.has(order));
    try {
      while (this.isReady && this.#missing > this.#revision) this.#adopt(await this.#readState());
    } catch (problem) {
      // The next entry causes another read, unless the service refused this read, because it would refuse the next one too.
      if (!problem.isPassing) this.#end(problem);
    } finally {
      this.#isReading = false;
      if (this.#isBehind && this.#missing <= this.#revision) {
        this.#isBehind = false;
        this.#core.predictions.changed(this);
      }
    }
  }

  /** Notes that the confirmed session has at least this revision. */
  reach(revision) {
    if (this.isReady && revision > this.#revision) this.#lack(revision);
  }

  #adopt(base) {
    const { definition, revision, last = 0, state } = base;
    if (!this.isReady || revision <= this.#revision) return;
    if (definition !== this.#definition) return this.#core.predictions.moved();
    this.#record.begin(base);
    this.#guarded(() => {
      const update = this.#upToDate.adopt(last, state);
      this.#revision = revision;
      for (const order of [...this.#pending]) if (order <= last) this.#pending.delete(order);
      this.#take(update);
      // The state may have been read before some of the answered actions ran, so only the others are forgotten.
      for (const [order, at] of [...this.#answered]) if (at <= revision) this.#forget(order);
    });
    this.#core.predictions.changed(this);
  }

  /** Reads the definition and a state that belongs to it. Reads both again if the session changes its definition in between. */
  async #readBoth() {
    for (let hash = this.#core.picture.confirmed.definition; ;) {
      const definition = await this.#core.transport.call({ path: `${this.#core.identity.path}/definition` }, { read: (response) => response.text() });
      const state = await this.#readState();
      if (state.definition === hash) return { definition, state };
      hash = state.definition;
    }
  }

  #readState() {
    return this.#core.transport.call({ path: `${this.#core.identity.path}/replica?client=${encodeURIComponent(this.#core.outbox.numbering.client)}` });
  }

  #take({ renamed }) {
    if (Object.keys(renamed).length === 0) return;
    this.#core.predictions.keys.rename(renamed);
    for (const [order, ids] of this.#created) this.#created.set(order, ids.map((id) => renamed[id] ?? id));
  }

  /** Returns the result of a call of the engine. After a failure, returns undefined, and the engine is not used again. */
  #guarded(run) {
    try {
      return run();
    } catch (problem) {
      this.#end(problem);
      return undefined;
    }
  }

  #end(problem) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#core.predictions.lose(problem);
  }
}

/** Returns an action with `change` applied to its `from` and `node`. */
export function mapped(action, change) {
  const made = { ...action };
  for (const name of ["from", "node"]) if (made[name] !== undefined && made[name] !== null) made[name] = change(made[name]);
  return made;
}
