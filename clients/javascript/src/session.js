import { CairnProblem } from "./problem.js";
import { Follow } from "./follow.js";
import { Outbox, storeIn } from "./outbox.js";
import { actions } from "./actions.js";
import { EventQueue } from "./event-queue.js";
import { Picture } from "./picture.js";
import { canStream, streaming } from "./streaming.js";
import { polling } from "./polling.js";

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
  #isInTrouble = false;
  #readsDetails;

  /** @param {object} body the session as the service told it */
  constructor(body, transport, options = {}) {
    const { machine } = transport;
    this.id = body.id;
    this.secret = transport.secret;
    this.opened = body.opened;
    this.path = `/v1/sessions/${encodeURIComponent(body.id)}`;
    this.#transport = transport;
    this.#picture = new Picture(body, () => this.#tell());
    this.#readsDetails = options.details ?? true;
    this.#outbox = new Outbox({
      transport, machine, bound: options.outbox, onRefused: options.onRefused,
      store: options.storage && storeIn(options.storage, `cairn-outbox:${body.id}`),
      onChange: () => this.#connected({ waiting: this.#outbox.size }),
      onTrouble: () => this.#connected({ isInTrouble: true }),
    });
    const streams = options.follow === undefined ? canStream() : options.follow === "events";
    const heard = { transport, after: () => this.revision, onMessage: (type, data) => this.#hear(type, data) };
    this.#follow = new Follow({
      machine, connection: streams ? streaming({ ...heard, path: `${this.path}/events` }) : polling({ ...heard, path: this.path }),
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

  /** What happens from now on, one by one and each once, until the session is over or closed. */
  events() {
    const queue = new EventQueue(() => {
      this.#queues.delete(queue);
      this.#tend();
    });
    if (this.#picture.now.over) queue.finish();
    this.#queues.add(queue);
    this.#tend();
    return queue;
  }

  /** Reads the whole session. */
  async refresh({ signal } = {}) {
    this.#picture.adopt(await this.#transport.call({ path: this.path }, { signal }));
  }

  /** The session as it was. */
  at(revision, { signal } = {}) {
    return this.#transport.call({ path: `${this.path}?revision=${Number(revision)}` }, { signal });
  }

  /** A page of what happened. */
  history({ after = 0, limit = 100, signal } = {}) {
    return this.#transport.call({ path: `${this.path}/history?after=${Number(after)}&limit=${Number(limit)}` }, { signal });
  }

  // MARK: Posting

  /** Posts to a path below the session's. Resolves once the picture has what came of it. */
  async post(path, body, { ifMatch, signal, plan = false, key } = {}) {
    const headers = ifMatch === undefined ? {} : { "If-Match": `"${ifMatch === true ? this.revision : ifMatch}"` };
    if (plan) {
      const where = `${this.path}${path}${path.includes("?") ? "&" : "?"}plan`;
      return this.#transport.call({ method: "POST", path: where, body, headers }, { signal });
    }
    const answer = await this.#outbox.post({ path: this.path + path, body, headers: { ...headers, Prefer: "return=minimal" }, key }, { signal });
    this.#connected({ isInTrouble: false });
    this.#picture.absorb(answer);
    await this.#catchUp();
    return answer;
  }

  /** Ends the session in the service: nothing of it is left. */
  async end({ signal } = {}) {
    await this.#transport.call({ method: "DELETE", path: this.path }, { signal });
    this.#end("deleted");
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

  /** What is followed may be heard while a post is not, and the other way round. */
  #connected({ followed = this.#followed, waiting = this.#picture.now.waiting, isInTrouble = this.#isInTrouble }) {
    this.#followed = followed;
    this.#isInTrouble = isInTrouble && waiting > 0;
    const connection = this.#isInTrouble ? "offline" : followed;
    this.#picture.set({ waiting, connection: this.#picture.now.over === undefined ? connection : "over" });
  }

  #hear(type, data) {
    if (type === "reset") this.#picture.adopt(data);
    else if (type === "change") this.#picture.absorb(data);
    else return;
    this.#catchUp();
    const event = type === "reset" ? { type, revision: data.revision, session: data } : { type, ...data };
    for (const queue of [...this.#queues]) queue.put(event);
  }

  /**
   * Reads what is missing, and what no change tells: facts, what is accepted and what is waited for. One read at a time, however many changes
   * come meanwhile; a read that fails is left to the next change.
   */
  #catchUp() {
    const needs = () => !this.#picture.now.over && (this.#picture.hasGap || (this.#readsDetails && this.#picture.isBehind));
    const read = async () => {
      for (let turn = 0; turn < 5 && needs(); turn += 1) await this.refresh();
    };
    this.#reading ??= needs() ? read().catch(() => {}).finally(() => { this.#reading = undefined; }) : undefined;
    return this.#reading;
  }

  #tell() {
    for (const listener of [...this.#listeners]) listener();
  }

  #end(reason) {
    if (this.#picture.now.over) return;
    this.#follow.stop();
    this.#picture.set({ over: reason, connection: "over" });
    this.#outbox.close(reason === "closed" ? undefined : new CairnProblem({ code: "over", detail: `the session is over: ${reason}` }));
    for (const queue of [...this.#queues]) queue.finish();
  }
}

Object.assign(Session.prototype, actions);
