import { CairnProblem } from "./problem.js";
import { Follow } from "./follow.js";
import { Outbox, storeIn } from "./outbox.js";
import { actions } from "./actions.js";
import { EventQueue } from "./event-queue.js";
import { details, Picture } from "./picture.js";
import { streaming } from "./streaming.js";
import { polling } from "./polling.js";
import { Predictions } from "./predictions.js";
import { routesOf, speakerOf } from "./routes.js";
import { tagOf } from "./tags.js";
import { readWhole } from "./transport.js";

/** The preference of a post with which nothing has to be read behind it. */
const includesDetails = `include="${details.join(" ")}"`;

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
    if (options.predict) {
      this.#predictions = new Predictions();
      this.#predictions.note(body);
    }
    this.#outbox = new Outbox({
      transport, machine, bound: options.outbox, onRefused: options.onRefused,
      store: options.storage && storeIn(options.storage, `cairn-outbox:${body.id}`),
      onChange: (answer) => this.#sent(answer),
      refusal: (post) => this.#refusal(post),
      onTurn: (post) => this.#predict(post),
      onTrouble: () => this.#connected({ isInTrouble: true }),
    });
    const streams = options.follow === undefined ? whole.streams : options.follow === "events";
    const heard = {
      transport, headers: this.#asks, after: () => this.#cursor, onMessage: (type, data, id) => this.#hear(type, data, id),
    };
    this.#follow = new Follow({
      transport, connection: streams ? streaming({ ...heard, path: `${this.path}/events` }) : polling({ ...heard, path: this.path }),
      onStart: () => { this.#cursor = this.#picture.eventId; },
      onState: (followed) => this.#connected({ followed }),
      onOver: (reason) => this.#end(reason),
    });
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

  /** Reads the whole session. */
  async refresh({ signal } = {}) {
    const since = this.revision;
    const whole = await this.#transport.call({ path: this.path, headers: this.#asks }, { signal, read: readWhole });
    this.#predictions?.note(whole.body);
    this.#picture.adopt(whole, { since });
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
  async post(path, body, { ifMatch, signal, plan = false, key, speaker } = {}) {
    const headers = this.#condition(ifMatch);
    if (plan) {
      const where = `${this.path}${path}${path.includes("?") ? "&" : "?"}plan`;
      return this.#transport.call({ method: "POST", path: where, body, headers }, { signal });
    }
    const preferences = ["return=minimal", ...(this.#readsDetails ? [includesDetails] : []), ...(this.#predictions ? ["predict"] : [])];
    const post = { path: this.path + path, body, headers: { ...headers, Prefer: preferences.join(", ") }, key, speaker };
    // The prediction and the higher count of waiting posts are one change for subscribers.
    const answer = await this.#picture.batch(() => this.#outbox.post(post, { signal }));
    await this.#catchUp();
    return answer;
  }

  /**
   * Posts a step of the screen that is visible now, unless `from` says of which; null: of that which is visible when the step arrives. A node's id
   * only names the sender; a screen's node (`id` and `name`) is bound as the visible screen is.
   */
  async step(name, params, { from, ...options } = {}) {
    const bound = from === undefined ? speakerOf(this.tree) : from?.id;
    const node = bound ?? from;
    const speaker = bound !== undefined && this.#picture.isPredicted ? (from ? { id: from.id, screen: from.name } : this.visible) : undefined;
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
    return this.#predictions ? { Prefer: "predict" } : {};
  }

  /** The problem of a step whose screen was only predicted and did not come; undefined: the post can be sent. */
  #refusal({ speaker }) {
    const isThere = speaker === undefined || routesOf(this.#picture.confirmed.tree).some(({ id, screen }) => id === speaker.id && screen === speaker.screen);
    if (isThere) return undefined;
    return new CairnProblem({ code: "dismissed", detail: `the screen ${speaker.screen}, to which this step belongs, was predicted and did not come` });
  }

  /** Shows what a post will do, if that is known, until it is answered or something else happens. */
  #predict(post) {
    if (!this.#predictions || post.path !== `${this.path}/actions`) return;
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
    return this.#listeners.size + this.#queues.size > 0;
  }

  #tend() {
    if (this.#picture.now.over) return;
    if (this.#isFollowed) return this.#follow.start();
    this.#follow.stop();
    this.#connected({ followed: "idle" });
  }

  /** Another number of posts waits, or one arrived: what it did is the same change. */
  #sent(answer) {
    if (answer) this.#predictions?.note(answer);
    this.#picture.batch(() => {
      if (answer) this.#picture.absorb(answer);
      if (this.#predictedPost !== this.#outbox.first) this.#show(undefined);
      this.#connected({ waiting: this.#outbox.size, ...(answer ? { isInTrouble: false } : {}) });
    });
    this.#catchUp({ isPatient: true });
  }

  /** Events may arrive while a post's response is pending, and the other way round. */
  #connected({ followed = this.#followed, waiting = this.#picture.now.waiting, isInTrouble = this.#isInTrouble }) {
    this.#followed = followed;
    this.#isInTrouble = isInTrouble && waiting > 0;
    const connection = this.#isInTrouble ? "offline" : followed;
    this.#picture.set({ waiting, connection: this.#picture.now.over === undefined ? connection : "over" });
  }

  #hear(type, data, id) {
    if (type !== "reset" && type !== "change") return;
    this.#cursor = id;
    this.#predictions?.note(data);
    if (type === "reset") this.#picture.adopt({ body: data, id });
    else this.#picture.absorb(data, id);
    this.#catchUp({ isPatient: true });
    const event = type === "reset" ? { type, revision: data.revision, session: data } : { type, ...data };
    for (const queue of [...this.#queues]) queue.put(event);
    this.#recover();
  }

  /**
   * Reads what is missing, and what no change contains: facts, accepted steps, timers and effects. One read at a time, however many
   * changes arrive; after a failed read the next change reads again. `isPatient`: while a post is on its way, its answer is awaited instead, which
   * has the details.
   */
  #catchUp({ isPatient = false } = {}) {
    const awaits = isPatient && this.#outbox.size > 0 && !this.#isInTrouble;
    const needs = () => !this.#picture.now.over && (this.#picture.hasGap || (this.#readsDetails && !awaits && this.#picture.isBehind));
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
    for (const listener of [...this.#listeners]) listener();
  }

  #end(reason) {
    if (this.#picture.now.over) return;
    this.#follow.stop();
    this.#picture.set({ over: reason, connection: "over" });
    this.#outbox.close(reason === "closed" ? undefined : new CairnProblem({ code: "over", detail: `the session has ended: ${reason}` }));
    for (const queue of [...this.#queues]) queue.finish();
  }
}

Object.assign(Session.prototype, actions);
