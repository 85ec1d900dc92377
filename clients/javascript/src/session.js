import { CairnProblem } from "./problem.js";
import { create, readUntilAnswered } from "./creation.js";
import { Follow, lastWord } from "./follow.js";
import { Outbox, storeIn } from "./outbox.js";
import { actions } from "./actions.js";
import { EventQueue } from "./event-queue.js";
import { details, Picture } from "./picture.js";
import { streaming } from "./streaming.js";
import { polling } from "./polling.js";
import { isNumberable } from "./numbering.js";
import { Predictions } from "./predictions.js";
import { Replica } from "./replica.js";
import { routesOf, speakerOf } from "./routes.js";
import { tagOf } from "./tags.js";
import { readWhole } from "./transport.js";

/** The preference of a post with which nothing has to be read behind it. */
const includesDetails = `include="${details.join(" ")}"`;

/** How long steps wait behind an action that cannot be predicted, in milliseconds. */
const patience = 2000;

/** How long a screen may take until the user sees it, in milliseconds: a frame. */
const frame = 16;

/** How many posts may wait: with an engine, which shows them at once, and without. */
const mostWaiting = { predicted: 500, plain: 100 };

/** A session as its client knows it: a picture that is kept up to date, and what can be posted. Made by `connect` and `start`. */
export class Session {
  #picture;
  #outbox;
  #follow;
  #transport;
  #listeners = new Set();
  #queues = new Set();
  #reading = undefined;
  #followed = "idle";
  /** The id of the newest event that was heard: a new connection begins behind it, wherever the picture is. */
  #cursor;
  #isInTrouble = false;
  #readsDetails;
  /** The predictions of the next actions; undefined: the client does not ask for them. */
  #predictions;
  /** The post that is shown before it is answered. */
  #predictedPost;
  /** The session in an engine; undefined: there is no engine. */
  #replica;
  /** The screen that was visible before an action was shown at once: `{ id }`, for the time in which the user cannot have seen another one. */
  #seen;
  /** Ends the wait of steps behind an action that cannot be predicted. */
  #patience;
  #onRejected = new Set();
  #machine;
  #onNotice;
  /** What outlives the page; undefined: nothing does, and the page is on its own. */
  #keeping;
  /** What this client needs to know beside the body: `{ streams, engine }`. */
  #means;
  /** The request by which the service creates the session: `{ key, body, time }`; undefined: the service has it. */
  #creation;
  #options;
  #restored = [];
  /** Aborted when the session ends. */
  #over = new AbortController();
  /** The view that an earlier page had with its pending actions, until the engine gives one. */
  #shownBefore;

  /** @param {{ body: object, id: string, streams: boolean }} whole the session as `readWhole` gives it */
  constructor(whole, transport, options = {}) {
    const { body } = whole;
    const { machine } = transport;
    this.id = body.id;
    this.secret = transport.secret;
    this.opened = body.opened;
    this.path = `/v1/sessions/${encodeURIComponent(body.id)}`;
    this.#transport = transport;
    this.#picture = new Picture(whole, () => this.#tell());
    this.#readsDetails = options.details ?? true;
    this.#machine = machine;
    this.#options = options;
    this.#keeping = options.keeping;
    this.#creation = options.creation;
    this.#means = { streams: whole.streams, engine: whole.engine };
    this.#onNotice = options.onNotice ?? ((message, cause) => console.warn(message, cause));
    if (options.onRejected) this.#onRejected.add(options.onRejected);
    if (options.predict === true) {
      this.#predictions = new Predictions();
      this.#predictions.note(body);
    }
    const hasEngine = options.predict !== false && whole.engine !== undefined;
    this.#outbox = new Outbox({
      transport, machine, bound: options.outbox ?? (hasEngine || this.#keeping ? mostWaiting.predicted : mostWaiting.plain), onRefused: options.onRefused,
      store: this.#keeping ? this.#posts : options.storage && storeIn(options.storage, `cairn-outbox:${body.id}`),
      isHeld: () => this.isLocal || this.#isFollower,
      onChange: (answer, ended) => this.#sent(answer, ended),
      refusal: (post) => this.#refusal(post),
      onTurn: (post) => this.#predict(post),
      onTrouble: () => this.#connected({ isInTrouble: true }),
    });
    this.#followBy(whole);
    if (hasEngine && !this.#keeping) this.#predictWith(whole.engine);
  }

  /** Has events heard of from the session's path. */
  #followBy(whole) {
    const transport = this.#transport;
    const { follow } = this.#options;
    const streams = follow === undefined ? whole.streams : follow === "events";
    const heard = {
      transport, headers: () => this.#asks, after: () => this.#cursor, onMessage: (type, data, id) => this.#hear(type, data, id),
    };
    this.#follow = new Follow({
      transport, connection: streams ? streaming({ ...heard, path: `${this.path}/events` }) : polling({ ...heard, path: this.path }),
      onStart: () => { this.#cursor = this.#picture.eventId; },
      onState: (followed) => this.#connected({ followed }),
      onOver: (reason) => this.#end(reason),
    });
  }

  // MARK: Over pages

  /** Whether the service does not have the session yet: it began without a network. */
  get isLocal() {
    return this.#creation !== undefined;
  }

  /** Whether another page looks after the session. */
  get #isFollower() {
    return this.#keeping?.isFollowing === true;
  }

  /** Where the outbox keeps its posts. */
  get #posts() {
    const keeping = this.#keeping;
    return { isPatient: true, load: async () => this.#restored, save: () => keeping.save(), flush: () => keeping.save() };
  }

  /** Begins to keep the session, and to share it with the browser's other pages. */
  attach() {
    return this.#keeping.attach(this.id, this.secret, {
      collect: () => this.#collect(), lead: (kept) => this.#lead(kept), show: (shared) => this.#mirror(shared),
      own: (uid, post) => this.#postOnce(uid, post), snapshot: () => this.#shared, onPeers: () => this.#tend(),
    });
  }

  /** The parts of the session to store. */
  #collect() {
    const { stack, visible, connection, waiting, over, predicts, ...body } = this.#picture.confirmed;
    const { tree, facts, accepts } = this.#picture.now;
    return {
      whole: { body: { ...body, id: this.id }, id: this.#picture.eventId, ...this.#means },
      ...(this.#picture.isPredicted ? { shown: { tree, facts, accepts } } : {}),
      client: this.#outbox.numbering.client, next: this.#outbox.numbering.next, posts: this.#outbox.waiting,
      replica: this.#replica?.keepable, definition: this.#replica?.definition, creation: this.#creation,
    };
  }

  /** This page looks after the session from now on, with what an earlier one left. */
  async #lead(kept) {
    const body = kept?.whole?.body;
    if (body?.revision >= this.revision) this.#picture.adopt(kept.whole);
    this.#shownBefore = kept?.shown;
    if (kept?.shown) this.#picture.show(kept.shown);
    if (kept?.creation) this.#creation = kept.creation;
    this.#outbox.numbering.resume(kept ?? {});
    const headers = { Prefer: this.#preferences };
    this.#restored = (kept?.pending ?? []).map(({ uid, number, body, at, definition }) => (
      { path: `${this.path}/actions`, body, headers, client: kept.client, number, order: number, action: body, at, uid, definition }));
    const { engine } = this.#means;
    if (this.#options.predict !== false && engine !== undefined) this.#predictWith(engine, kept?.replica ?? kept?.beginning ?? this.#options.beginning);
    await this.#outbox.restore();
    this.#tend();
    if (this.isLocal) this.#create();
    else if (body) this.#readAgain();
  }

  /** What other pages get to show. */
  get #shared() {
    // A page that followed a local session has no secret yet.
    const secret = this.#keeping.isRenamed ? this.secret : undefined;
    return { now: this.#picture.now, id: this.id, secret, creation: this.#creation };
  }

  /** Shows what the leading page shows. */
  #mirror({ now, id, secret, creation }) {
    if (now.over === "closed" || this.#picture.now.over !== undefined) return;
    if (now.over !== undefined) return this.#end(now.over);
    this.#creation = creation;
    if (id !== this.id) {
      this.#name(id, secret);
      this.#keeping.follow(id, secret);
    }
    const { stack, visible, ...members } = now;
    this.#picture.set(members);
  }

  /** Does a post of another page, or finds it among those that wait. */
  #postOnce(uid, { path, body, options }) {
    const waiting = this.#outbox.waiting.find((item) => item.uid === uid);
    return waiting?.promise ?? this.post(path, body, { ...options, uid });
  }

  /** Reads the session until the service answers: an earlier page stored the shown one. */
  async #readAgain() {
    const { signal } = this.#over;
    const reason = await readUntilAnswered(() => this.refresh({ signal }), { transport: this.#transport, signal });
    if (reason !== undefined) this.#end(reason);
  }

  /** Has the service create the session that began here, as soon as there is a network. */
  async #create() {
    const { signal } = this.#over;
    // Without its definition the service creates the session by the one that it has.
    const onGone = async ({ body: { definition, ...body } }) => {
      this.#creation = { ...this.#creation, body, key: this.#machine.newKey() };
      await this.#keeping.save();
      return this.#creation;
    };
    try {
      this.#created(await create(this.#creation, { transport: this.#options.creator, signal, onGone }));
    } catch (problem) {
      if (signal.aborted) return;
      this.#onNotice("the session that began offline was refused", problem);
      this.#end(lastWord(problem) ?? "refused");
    }
  }

  /** The service has the session now. Subscribers hear of it once. */
  #created(whole) {
    const { body } = whole;
    const before = this.path;
    const isMoved = body.definition !== this.#picture.now.definition;
    this.#creation = undefined;
    this.#name(body.id, body.secret);
    this.#outbox.move(before, this.path, isMoved ? body.definition : undefined);
    this.#means = { streams: whole.streams, engine: whole.engine ?? this.#means.engine };
    this.#followBy(whole);
    // Before anything is stored under the local name again.
    this.#keeping.rename(body.id, body.secret);
    this.#picture.batch(() => {
      this.#picture.adopt(whole);
      this.#replica?.created(this.path, body.replica);
      this.#showPending();
    });
    this.#outbox.send();
    this.#tend();
  }

  #name(id, secret) {
    [this.id, this.secret, this.path] = [id, secret, `/v1/sessions/${encodeURIComponent(id)}`];
    this.#transport.secret = secret;
  }

  /** Loads the engine in the background. */
  #predictWith(engine, kept) {
    const keeping = this.#keeping;
    this.#replica = new Replica({
      transport: this.#transport, path: this.path, engine, client: this.#outbox.numbering.client, waiting: () => this.#outbox.waiting,
      kept, fetchEngine: keeping?.fetchEngine, onKept: () => keeping?.save(),
      onDefinition: (hash, text = kept?.text) => keeping?.learn({ app: this.#picture.now.app, hash, text, engine }),
      onChange: () => this.#picture.batch(() => {
        this.#replica?.reach(this.#picture.confirmed.revision);
        this.#picture.set({ predicts: this.#replica.isReady });
        this.#showPending();
      }),
      onMoved: () => this.#moved(),
      onEnd: (problem) => this.#withoutEngine(problem),
    });
    this.#replica.load();
  }

  /** Goes on without an engine, and says so. */
  #withoutEngine(problem) {
    this.#replica = undefined;
    this.#picture.batch(() => {
      this.#picture.set({ predicts: false });
      this.#showPending();
    });
    if (this.#picture.now.over === undefined) this.#onNotice("Cairn goes on without an engine: actions are shown when the service has answered", problem);
  }

  /** Sends what an earlier page left in the storage. */
  restore() {
    return this.#outbox.restore();
  }

  // MARK: Reading

  get tree() { return this.#picture.now.tree; }
  get stack() { return this.#picture.now.stack; }
  get visible() { return this.#picture.now.visible; }
  get revision() { return this.#picture.now.revision; }
  get facts() { return this.#picture.now.facts; }
  get accepts() { return this.#picture.now.accepts; }
  get pending() { return this.#picture.now.pending; }

  /** The same object until something changes. */
  getSnapshot = () => this.#picture.now;

  /** Calls after each change; gives what takes that back. With the first listener the events are followed, with the last no longer. */
  subscribe = (listener) => {
    const own = () => listener();
    this.#listeners.add(own);
    this.#tend();
    return () => {
      this.#listeners.delete(own);
      this.#tend();
    };
  };

  /** The changes from now on, each once, until the session ends or is closed. At most `limit` wait for their reader. */
  events({ limit } = {}) {
    const onReturn = () => {
      this.#queues.delete(queue);
      this.#tend();
    };
    const queue = new EventQueue({ after: this.revision, limit, onReturn });
    if (this.#picture.now.over) queue.finish();
    this.#queues.add(queue);
    this.#tend();
    return queue;
  }

  /**
   * A key for a node's view, which stays the same when a predicted node gets its id from the service. Without an engine it is the id.
   */
  keyOf = (id) => this.#replica?.keyOf(id) ?? id;

  /** Reads the whole session. */
  async refresh({ signal } = {}) {
    const since = this.revision;
    // The replica is read by itself, with the number of this client's newest action.
    const headers = this.#replica ? {} : this.#asks;
    const whole = await this.#transport.call({ path: this.path, headers }, { signal, read: readWhole });
    this.#predictions?.note(whole.body);
    this.#adopt(whole, { since });
    if (this.#keeping && !this.#isFollower) this.#meet(whole);
  }

  /** The service may have another engine than the one that was kept, or one now. */
  #meet({ engine, streams }) {
    const isOther = engine !== undefined && engine !== this.#means.engine;
    if (isOther) this.#means = { engine, streams };
    if (this.#options.predict === false || engine === undefined) return;
    if (this.#replica === undefined) {
      if (isOther) this.#predictWith(engine);
      return;
    }
    if (isOther) this.#replica.engine = engine;
    if (isOther) this.#moved();
    else this.#loadAgain();
  }

  /** Takes a whole session. */
  #adopt(whole, since) {
    this.#picture.batch(() => {
      this.#picture.adopt(whole, since);
      this.#replica?.expect(this.#picture.now.revision);
      this.#showPending();
    });
  }

  /** The session as it was. */
  at(revision, { signal } = {}) {
    return this.#transport.call({ path: `${this.path}?revision=${Number(revision)}` }, { signal });
  }

  /**
   * A page of what happened, from the first entry that is left if `after` is left out. What was forgotten is rejected with the code
   * `history-gone` and `firstRevision`, the first revision that can be read.
   */
  history({ after, limit = 100, signal } = {}) {
    const from = after === undefined ? "" : `after=${Number(after)}&`;
    return this.#transport.call({ path: `${this.path}/history?${from}limit=${Number(limit)}` }, { signal });
  }

  // MARK: Posting

  /**
   * Posts to a path below the session's. Resolves once the picture has what came of it. An older service answers without details, which are read
   * then.
   */
  async post(path, body, { ifMatch, signal, plan = false, key, speaker, uid, queue = false } = {}) {
    if (this.#isFollower && !plan) return this.#keeping.post({ path, body, options: { ifMatch: ifMatch === true ? this.revision : ifMatch, key, queue } }, signal);
    const headers = this.#condition(ifMatch);
    if (plan) {
      const where = `${this.path}${path}${path.includes("?") ? "&" : "?"}plan`;
      return this.#transport.call({ method: "POST", path: where, body, headers }, { signal });
    }
    const post = { path: this.path + path, body, headers: { ...headers, Prefer: this.#preferences }, key, speaker, uid };
    const seen = this.#speaker;
    // The prediction and the higher count of waiting posts are one change for subscribers.
    const answered = this.#picture.batch(() => {
      const problem = this.#replica ? this.#runFirst(post, queue) : this.#number(post);
      const answer = problem ? Promise.reject(problem) : this.#outbox.post(post, { signal });
      this.#showPending();
      return answer;
    });
    if (this.#replica) this.#keepSpeaker(seen);
    const answer = await answered.finally(() => { this.#seen = undefined; });
    await this.#catchUp();
    return answer;
  }

  get #preferences() {
    const { Prefer: added } = this.#asks;
    return ["return=minimal", ...(this.#readsDetails ? [includesDetails] : []), ...(added ? [added] : [])].join(", ");
  }

  /** Whether a post can be numbered. What must not be stored has a key, under which another page of its own sends it again. */
  #isNumbered(post) {
    if (!isNumberable({ ...post, isNumberable: post.key === undefined })) return false;
    const isUnknown = this.#replica && this.#keeping?.definition === undefined && !this.#replica.hasSecret(post.body);
    return !this.#keeping || isUnknown || this.#keeping.mayStore(post.body);
  }

  /** Numbers an action that is kept, also without an engine. */
  #number(post) {
    if (!this.#keeping || !this.#isNumbered(post)) return;
    const { numbering } = this.#outbox;
    const number = numbering.take();
    Object.assign(post, { client: numbering.client, number, order: number, action: post.body });
  }

  /**
   * The screen that a step without `from` belongs to. Within a frame after an action was shown at once, if it is not answered, it is the one before, so
   * that a double tap does not tap the new screen.
   */
  get #speaker() {
    return this.#seen ? this.#seen.id : speakerOf(this.tree);
  }

  #keepSpeaker(id) {
    if (this.#seen || id === speakerOf(this.tree)) return;
    this.#seen = { id };
    this.#machine.timers.set(() => { this.#seen = undefined; }, frame);
  }

  /** Runs a post in the engine, and numbers it. Returns a problem if the post must not be sent. */
  #runFirst(post, isQueued) {
    const replica = this.#replica;
    const { numbering, overflow } = this.#outbox;
    if (overflow) return overflow;
    const { body } = post;
    const isNumbered = this.#isNumbered(post);
    if (isNumbered) post.body = replica.posted(body);
    Object.assign(post, { order: numbering.take(), action: isNumbered ? body : undefined, at: this.#machine.now() });
    if (isNumbered) Object.assign(post, { client: numbering.client, number: post.order, definition: replica.definition });
    const reason = replica.predict(post.order, post.action, post.at);
    if (reason === "unpredictable" && this.#isOffline && (!isQueued || replica.hasSecret(body))) {
      replica.answered(post.order);
      return new CairnProblem({ code: "offline", detail: "there is no network, and what the action does is not known here" });
    }
    if (reason === "waiting") this.#waitForDecision();
    return undefined;
  }

  /** Steps that wait behind an action that cannot be predicted are shown after a while, unless the network is away. */
  #waitForDecision() {
    this.#patience ??= this.#machine.timers.set(() => {
      this.#patience = undefined;
      if (this.#isOffline) return this.#waitForDecision();
      this.#replica?.proceed();
      this.#showPending();
    }, patience);
  }

  get #isOffline() {
    return this.#machine.network.isOnline === false || this.#isInTrouble;
  }

  /** Calls with each action that the service has refused: `{ action, code, problem }`. Returns a function that takes this back. */
  onRejected(listener) {
    const own = (rejected) => listener(rejected);
    this.#onRejected.add(own);
    return () => this.#onRejected.delete(own);
  }

  /**
   * Posts a step of the screen that is visible now, unless `from` says of which; null: of that which is visible when the step arrives. A node's id
   * only names the sender; a screen's node (`id` and `name`) is bound as the visible screen is.
   */
  async step(name, params, { from, ...options } = {}) {
    const bound = from === undefined ? this.#speaker : from?.id;
    const node = bound ?? from;
    const speaker = bound !== undefined && this.#picture.isPredicted && !this.#replica ? (from ? { id: from.id, screen: from.name } : this.visible) : undefined;
    const hasParams = params && Object.keys(params).length > 0;
    try {
      return await this.act({ step: name, ...(hasParams ? { params } : {}), ...(node ? { from: node } : {}) }, { ...options, speaker });
    } catch (problem) {
      if (bound === undefined || (problem.code !== "hidden" && problem.code !== "dismissed")) throw problem;
      if (problem.revision !== undefined) this.#picture.expect(problem.revision);
      await this.#catchUp();
      return { outcome: "stale", reason: problem.code, events: [], changes: [], problem };
    }
  }

  /** Ends the session in the service: nothing of it is left. */
  async end({ ifMatch, signal } = {}) {
    await this.#transport.call({ method: "DELETE", path: this.path, headers: this.#condition(ifMatch) }, { signal });
    this.#end("deleted");
  }

  // MARK: Predicting

  /**
   * Asks for predictions of up to 32 actions, so that the one that is posted next is shown at once. The service predicts steps with params only on
   * request. Resolves to one element per action, with `changes` or `error`.
   */
  async prepare(actions, { signal } = {}) {
    const answer = await this.#transport.call({ method: "POST", path: `${this.path}/predictions`, body: { actions } }, { signal });
    this.#predictions?.add(answer.revision, actions, answer.predictions);
    return answer.predictions;
  }

  /** The headers of a read whose response contains predictions. */
  get #asks() {
    if (this.#replica) return { Prefer: "replica" };
    return this.#predictions ? { Prefer: "predict" } : {};
  }

  /** Shows the confirmed session with the pending actions, as the engine has run them. */
  #showPending() {
    if (this.#shownBefore) {
      if (this.#replica && !this.#replica.isReady && this.#outbox.size > 0) return undefined;
      this.#shownBefore = undefined;
    }
    if (this.#replica) return this.#picture.show(this.#replica.view);
    if (this.#predictedPost === undefined) this.#picture.show(undefined);
  }

  /** The session has another definition: what is pending is answered first, and then the engine begins again. */
  #moved() {
    this.#replica.pause();
    this.#picture.batch(() => {
      this.#picture.set({ predicts: false });
      this.#showPending();
    });
    this.#loadAgain();
  }

  #loadAgain() {
    if (this.#replica && !this.#replica.isReady && this.#outbox.size === 0) this.#replica.load();
  }

  /** The problem of a step whose screen was only predicted and did not come; undefined: the post can be sent. */
  #refusal({ speaker }) {
    const isThere = speaker === undefined || routesOf(this.#picture.confirmed.tree).some(({ id, screen }) => id === speaker.id && screen === speaker.screen);
    if (isThere) return undefined;
    return new CairnProblem({ code: "dismissed", detail: `the screen ${speaker.screen}, to which this step belongs, was predicted and did not come` });
  }

  /** Shows what a post will do, if that is known, until it is answered or something else happens. */
  #predict(post) {
    if (this.#replica || !this.#predictions || post.path !== `${this.path}/actions`) return;
    const { from, ...action } = post.body;
    const isOfVisible = from === undefined || from === speakerOf(this.tree);
    const changes = isOfVisible ? this.#predictions.changes(action, this.revision) : undefined;
    this.#show(changes && post, changes);
  }

  #show(post, changes) {
    this.#predictedPost = post;
    this.#picture.predict(changes);
  }

  #condition(ifMatch) {
    if (ifMatch === undefined) return {};
    return { "If-Match": tagOf(ifMatch === true ? (this.#picture.ownEventId ?? this.revision) : ifMatch) };
  }

  /** Lets go of the session, which goes on in the service. What still waits is rejected, unless a storage keeps it. */
  close() {
    this.#end("closed");
  }

  // MARK: Following

  get #isFollowed() {
    return this.#listeners.size + this.#queues.size > 0 || this.#keeping?.hasPeers === true;
  }

  #tend() {
    if (this.#picture.now.over) return;
    if (this.#isFollower || this.isLocal) return;
    if (this.#isFollowed) return this.#follow.start();
    this.#follow.stop();
    this.#connected({ followed: "idle" });
  }

  /** Another number of posts waits, or some have ended: what they did is the same change. */
  #sent(answer, ended = []) {
    if (answer) this.#predictions?.note(answer);
    if (this.#keeping) this.#noteEnds(ended);
    this.#picture.batch(() => {
      if (answer) this.#picture.absorb(answer);
      for (const { item, answer } of ended) this.#replica?.answered(item.order, answer);
      if (this.#replica) this.#showPending();
      else if (this.#predictedPost !== this.#outbox.first) this.#show(undefined);
      this.#connected({ waiting: this.#outbox.size, ...(answer ? { isInTrouble: false } : {}) });
    });
    for (const { item, problem } of ended) if (problem instanceof CairnProblem) this.#reject(item, problem);
    if (ended.length > 0) this.#loadAgain();
    this.#catchUp({ isPatient: true });
  }

  #noteEnds(ended) {
    this.#keeping.settle(ended);
    const isLogout = ended.some(({ item, problem }) => item.body?.type === "logout" && problem === undefined);
    if (isLogout) this.#replica?.rebase();
    if (isLogout || ended.some(({ problem }) => problem?.status === 401)) this.#keeping.forget();
  }

  #reject({ body }, problem) {
    for (const listener of [...this.#onRejected]) listener({ action: body, code: problem.code, problem });
  }

  /** Events may arrive while a post's response is pending, and the other way round. */
  #connected({ followed = this.#followed, waiting = this.#picture.now.waiting, isInTrouble = this.#isInTrouble }) {
    this.#followed = followed;
    this.#isInTrouble = isInTrouble && waiting > 0;
    const connection = this.#isInTrouble ? "offline" : followed;
    this.#picture.set({ waiting, connection: this.#picture.now.over === undefined ? connection : "over" });
  }

  #hear(type, data, id) {
    if (type === "migrated" && this.#replica) this.#moved();
    if (type !== "reset" && type !== "change") return;
    this.#cursor = id;
    this.#predictions?.note(data);
    if (type === "reset") this.#adopt({ body: data, id });
    else this.#absorb(data, id);
    this.#catchUp({ isPatient: true });
    const event = type === "reset" ? { type, revision: data.revision, session: data } : { type, ...data };
    for (const queue of [...this.#queues]) queue.put(event);
    this.#recover();
  }

  /** Takes an event, which may be of this client's own action. */
  #absorb(data, id) {
    this.#picture.batch(() => {
      this.#picture.absorb(data, id);
      const { revision, replica, sender } = data;
      this.#replica?.heard(revision, replica, sender?.client === this.#outbox.numbering.client ? sender.action : 0);
      this.#showPending();
    });
  }

  /**
   * Reads what is missing, and what no change contains: facts, accepted steps, timers and effects. One read at a time, however many
   * changes arrive; after a failed read the next change reads again. `isPatient`: while a post is on its way, its answer is awaited instead, which
   * has the details.
   */
  #catchUp({ isPatient = false } = {}) {
    const awaits = isPatient && this.#outbox.size > 0 && !this.#isInTrouble;
    const needs = () => !this.#picture.now.over && !this.#isFollower && !this.isLocal && (this.#picture.hasGap || (this.#readsDetails && !awaits && this.#picture.isBehind));
    const read = async () => {
      for (let turn = 0; turn < 5 && needs(); turn += 1) await this.refresh();
    };
    this.#reading ??= needs() ? read().catch(() => {}).finally(() => { this.#reading = undefined; }) : undefined;
    return this.#reading;
  }

  /** A reader that fell behind goes on from the picture. */
  #recover() {
    for (const queue of this.#queues) queue.recover(this.#picture.confirmed);
  }

  #tell() {
    this.#recover();
    if (this.#keeping?.changed(this.#shared, this.#picture.confirmed.facts)) this.#replica?.rebase();
    for (const listener of [...this.#listeners]) listener();
  }

  #end(reason) {
    if (this.#picture.now.over) return;
    this.#follow.stop();
    this.#replica?.close();
    this.#machine.timers.clear(this.#patience);
    this.#picture.set({ over: reason, connection: "over" });
    const isOver = reason !== "closed";
    const problem = isOver
      ? new CairnProblem({ code: "over", detail: `the session has ended: ${reason}` }) : new CairnProblem({ code: "closed", detail: "the session was closed by its page" });
    this.#keeping?.end({ isOver, problem });
    this.#over.abort(problem);
    this.#outbox.close(problem);
    for (const queue of [...this.#queues]) queue.finish();
  }
}

Object.assign(Session.prototype, actions);
