import { Pulse } from "./pulse.js";
import { plainAnswer } from "./stale.js";

/**
 * The pages of one session in one browser. One page leads: it holds a lock, and only it uses the storage, the outbox and the stream. The other pages send their
 * posts to the leader and show its snapshot. When the leader is closed, the browser passes the lock to the next page. If a leader does not answer, for example
 * because the browser has frozen it, a page whose posts wait takes the lock. The earlier leader follows when it runs again.
 *
 * Each post has a unique name (`uid`). A page sends its posts again to each new leader, so a leader that receives a post twice performs it once.
 */
export class Tabs {
  #channel;
  #release;
  /** Aborts the request for the lock. */
  #queued;
  /** Aborted when this page no longer leads. */
  #leading;
  /** @type {"waiting" | "following" | "taking" | "leading" | "left"} */
  #role = "waiting";
  #page;
  /** The posts of this page that wait for the leader, each with its promise. */
  #posts = new Map();
  /** The names of the cancelled posts, each with whether this page has cancelled it. */
  #dropped = new Map();
  #count = 0;
  #peers = new Set();
  /** The pages that have readers of events. */
  #listeners = new Set();
  #pulse;
  /** The browser's name of this page as the holder of the lock; undefined if it is not known. */
  #holder;

  /** @param {import("./types").PageOfTabs} given without `timers`, the lock is not taken from another page */
  constructor(given) {
    this.#page = given;
    const isNeeded = () => this.#role === "following" && this.#posts.size > 0;
    this.#pulse = new Pulse(given.timers, isNeeded, () => this.#say({ type: "ask" }), () => this.#steal());
  }

  /** Whether the platform has the locks and channels that several pages need to share a session. Without them, pages do not share sessions. */
  static areThere(/** @type {{ locks?: object | null, channels?: object | null }} */ { locks, channels }) {
    return locks !== undefined && locks !== null && channels !== undefined && channels !== null;
  }

  get isLeading() { return this.#role === "leading"; }
  get #hasLeft() { return this.#role === "left"; }
  /** Whether the session is open in another page. */
  get hasPeers() { return this.#peers.size > 0; }
  /** Number of this page's posts that wait for the leader. */
  get size() { return this.#posts.size; }

  // MARK: The lock

  /** Joins the pages of the session: leads if no page holds the lock, otherwise follows. Resolves to whether this page leads. */
  async join() {
    const { channels, name } = this.#page;
    this.#channel = channels(name);
    this.#channel.onmessage = ({ data }) => this.#hear(data);
    const isFirst = await this.#take({ ifAvailable: true });
    if (this.#role === "waiting") this.#follow();
    return isFirst;
  }

  /** Shows the leader's snapshot, and waits for the lock. */
  #follow() {
    if (this.#hasLeft) return;
    this.#role = "following";
    this.#queued = new AbortController();
    this.#take({ signal: this.#queued.signal }).catch(() => {});
    this.#say({ type: "hello" });
    if (this.#posts.size > 0) this.#pulse.start();
  }

  /** Requests the lock. Resolves to whether this page has it now. Holds it until `leave`, or until another page takes it. */
  #take(options) {
    const { locks, name } = this.#page;
    const leading = new AbortController();
    return new Promise((resolve, reject) => {
      const hold = (lock) => {
        if (!lock) return resolve(false);
        if (this.#hasLeft) return undefined;
        this.#leading = leading;
        const held = new Promise((release) => { this.#release = release; });
        this.#lead(leading.signal).then(() => resolve(true), reject);
        return held;
      };
      locks.request(name, options, hold).catch((problem) => {
        if (leading !== this.#leading) return reject(problem);
        this.#lose(leading);
        resolve(false);
      });
    });
  }

  /** Takes the lock from a leader that does not answer. */
  #steal() {
    this.#queued.abort();
    // A third page may have taken the lock at the same time.
    this.#take({ steal: true }).catch(() => this.#role === "following" && this.#follow());
  }

  async #lead(signal) {
    this.#role = "taking";
    this.#pulse.stop();
    this.#holder = await this.#holderOfLock();
    if (!signal.aborted) await this.#page.lead(signal);
    if (this.#hasLeft || signal.aborted) return;
    this.#role = "leading";
    // If the earlier leader stored one of these posts, `post` finds it among the pending posts by its name.
    for (const [uid, { post }] of [...this.#posts]) this.#do(uid, post);
    this.#say({ type: "lead", snapshot: this.#page.shown() });
  }

  /** Resolves to whether this page still holds the lock. A page that was frozen may not know yet that another page took the lock. */
  async isStillLeading() {
    const leading = this.#leading;
    if (leading === undefined || leading.signal.aborted) return false;
    if (await this.#holderOfLock() !== this.#holder) this.#lose(leading);
    return !leading.signal.aborted;
  }

  async #holderOfLock() {
    const { locks, name, now } = this.#page;
    for (;;) {
      const asked = now();
      const state = await locks.query?.();
      // If the page was frozen before it received the answer, it asks again, because the answer may be out of date.
      if (now() - asked < newest) return state?.held.find((lock) => lock.name === name)?.clientId;
    }
  }

  /** Handles the loss of the lock to another page. */
  #lose(leading) {
    if (leading !== this.#leading || leading.signal.aborted || this.#hasLeft) return;
    leading.abort();
    this.#release();
    this.#peers.clear();
    this.#listeners.clear();
    this.#role = "waiting";
    this.#page.lose();
    this.#follow();
  }

  /**
   * Leaves the pages. If this page led, the next page leads. Waiting posts of this page are rejected with the problem. `over` is the reason why the session has
   * ended; undefined if it has not ended.
   */
  leave(problem, over) {
    if (this.#hasLeft) return;
    this.#role = "left";
    this.#queued?.abort();
    this.#pulse.stop();
    if (this.#channel) {
      this.#say({ type: "bye", over });
      this.#channel.close();
      // A closed channel cannot send the answers of posts that end later.
      this.#channel = undefined;
    }
    this.#release?.();
    for (const { reject } of this.#posts.values()) reject(problem);
    this.#posts.clear();
  }

  // MARK: Messages

  /** Returns a new name for a post, unique among all pages. */
  newName() {
    return `${this.#page.page}-${(this.#count += 1)}`;
  }

  /** Has the leader perform a post of this page. Resolves to the answer; rejects with the problem's body. */
  post(post, uid = this.newName()) {
    const known = this.#posts.get(uid);
    if (known) return known.promise;
    const waiting = { post };
    waiting.promise = new Promise((resolve, reject) => Object.assign(waiting, { resolve, reject }));
    this.#posts.set(uid, waiting);
    if (this.isLeading) this.#do(uid, post);
    else if (this.#role === "following") {
      this.#say({ type: "post", uid, post });
      this.#pulse.start();
    }
    return waiting.promise;
  }

  /** Cancels a post of this page. Its promise never settles. */
  drop(uid) {
    if (!this.#posts.delete(uid)) return;
    this.#dropped.set(uid, true);
    if (this.isLeading) this.#page.drop(uid);
    else this.#say({ type: "drop", uid });
  }

  /** Returns whether a post was cancelled, even if there was no leader at that time. */
  isDropped(uid) {
    return this.#dropped.has(uid);
  }

  show(snapshot) {
    if (this.isLeading && this.#peers.size > 0) this.#say({ type: "shown", snapshot });
  }

  share(events) {
    if (this.isLeading && this.#listeners.size > 0) this.#say({ type: "events", events });
  }

  /** Sends a refused action to the other pages, with its problem's body and its group. Without `action`, only the page that posted it handles the message. */
  reject({ uid, action, problem, group }) {
    if (this.isLeading && this.#peers.size > 0) this.#say({ type: "rejected", uid, action, problem: plain(problem), group });
  }

  /** Sends the other pages the revision after which this page needs events; undefined if it needs none. */
  listen() {
    if (this.#role === "following") this.#say({ type: "listen", after: this.#page.events.after });
  }

  #hear(message) {
    const { page } = this.#page;
    if (this.#hasLeft || message?.page === page) return;
    if (message.type === "bye" && message.over !== undefined) return this.#page.onOver?.(message.over);
    if (message.type === "ask" && (this.isLeading || this.#role === "taking")) return this.#say({ type: "here" });
    if (message.type === "drop") this.#dropped.set(message.uid, false);
    if (this.isLeading) return this.#serve(message);
    if (ofLeader.has(message.type)) this.#pulse.heard();
    if (message.type === "here") this.#noteSent(message.uid, message.sentAs);
    if (message.type === "answer") return this.#settle(message.uid, message);
    if (message.type === "rejected") {
      const { action = this.#posts.get(message.uid)?.post.body, problem, group } = message;
      return action === undefined ? undefined : this.#page.rejected({ action, problem, group });
    }
    if (message.type === "events" && (message.to ?? page) === page) return this.#page.events.take(message.events);
    if (message.type !== "lead" && message.type !== "shown") return;
    this.#page.show(message.snapshot);
    if (message.type !== "lead") return;
    // A new leader knows only the posts that the earlier leader had stored, and knows neither the pages nor their readers.
    this.#say({ type: "follow" });
    for (const [uid, { post }] of this.#posts) this.#say({ type: "post", uid, post });
    for (const [uid, isOwn] of this.#dropped) if (isOwn) this.#say({ type: "drop", uid });
    if (this.#page.events?.after !== undefined) this.listen();
  }

  #serve({ type, page, uid, post, after }) {
    const count = this.#peers.size;
    if (type === "hello" || type === "follow" || type === "post") this.#peers.add(page);
    if (type === "bye") this.#peers.delete(page);
    if (type === "bye" || type === "listen") this.#listeners.delete(page);
    if (this.#peers.size !== count) this.#page.onPeers?.(this.#peers.size);
    if (type === "hello") this.#say({ type: "lead", snapshot: this.#page.shown() });
    if (type === "post") this.#doUnlessDropped(uid, post);
    if (type === "drop") this.#page.drop(uid);
    if (type !== "listen" || after === undefined) return;
    this.#listeners.add(page);
    this.#say({ type: "events", to: page, events: this.#page.events.since(after) });
  }

  /** Performs a post of another page, unless that post was cancelled. A page that was frozen during the cancellation may still send the post. */
  #doUnlessDropped(uid, post) {
    if (!this.#dropped.has(uid)) return this.#do(uid, post, { isOfOther: true });
    this.#say({ type: "answer", uid, problem: { code: "aborted", detail: "the page that posted the action aborted it" } });
  }

  /** Performs a post as the leader, for this page or another page. */
  async #do(uid, post, { isOfOther = false } = {}) {
    const answered = this.#page.post(uid, post).then((answer) => ({ answer: plainAnswer(answer) }), (problem) => ({ problem: plain(problem) }));
    const sentAs = this.#page.sentAs(uid);
    if (isOfOther) this.#say({ type: "here", uid, sentAs });
    else this.#noteSent(uid, sentAs);
    const end = await answered;
    if (isOfOther) this.#say({ type: "answer", uid, ...end });
    else this.#settle(uid, end);
  }

  /** Adds to this page's copy of a post the members that the leader sent with it, so that a new leader repeats the same request. */
  #noteSent(uid, sentAs) {
    const waiting = this.#posts.get(uid);
    if (waiting !== undefined && sentAs !== undefined) waiting.post = { ...waiting.post, ...sentAs };
  }

  #settle(uid, /** @type {{ answer?: import("./types").Reply, problem?: { code: string } }} */ { answer, problem }) {
    const post = this.#posts.get(uid);
    if (post === undefined) return;
    this.#posts.delete(uid);
    if (problem) post.reject(problem);
    else post.resolve(answer);
  }

  #say(message) {
    this.#channel?.postMessage({ ...message, page: this.#page.page });
  }
}

/** Maximum age of the browser's answer, in milliseconds. */
const newest = 1000;

/** The messages that only a leader sends. */
const ofLeader = new Set(["here", "lead", "shown", "events", "answer", "rejected"]);

/** Returns a problem in a form that can be sent to another page: its body, or the message of any other error. */
function plain(problem) {
  return problem?.body ?? { code: "failed", detail: String(problem?.message ?? problem) };
}
