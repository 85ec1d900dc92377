import { Pulse } from "./pulse.js";
import { plainAnswer } from "./stale.js";

/**
 * The pages of one session in one browser. One of them leads: it holds a lock, and with it the storage, the outbox and the stream. The others send their posts to it
 * and show what it shows. When its page is gone, the browser gives the lock to the next one. A page whose posts wait takes the lock of a leader that does not answer, such as a
 * page that the browser has frozen. That one follows when it runs again.
 *
 * A post has a name of its own (`uid`). A page sends its posts again to each new leader, so a leader that gets one twice does it once.
 */
export class Tabs {
  #channel;
  #release;
  #stop = new AbortController();
  /** Ends the wait for the lock. */
  #queued;
  /** Aborted when this page no longer leads. */
  #leading;
  #role = "waiting";
  #given;
  #posts = new Map();
  /** The names of the posts that were taken back, and whether this page has taken it back. */
  #dropped = new Map();
  #count = 0;
  #peers = new Set();
  /** The pages that have readers of events. */
  #listeners = new Set();
  #pulse;
  /** The browser's name of this page as the holder of the lock; undefined: not known. */
  #holder;

  /**
   * @param {{ locks, channels, timers, now, name: string, page: string, lead, lose, post, drop, sentAs, rejected, shown, show, events, onPeers, onOver }} given
   * `page`: a name that no other page has. Without `timers` the lock is not taken from another page.
   *
   * - `lead(signal)`: this page leads from now on until the signal is aborted; resolves when it can do posts. `lose()`: it leads no longer.
   * - `post(uid, post)`: does one, resolves to its answer. `drop(uid)`: does it not, unless it is sent. `sentAs(uid)`: the members with which a later leader has to repeat it; undefined: none.
   * - `rejected(rejected)`: takes an action that the service has refused, as the leader gave it to `reject`.
   * - `shown()`: the snapshot for the other pages. `show(snapshot)`: the leader's.
   * - `onPeers(count)`: how many other pages are there. `onOver(reason)`: another page has ended the session.
   * - `events`: `after`, the revision behind which this page needs events; `since(revision)`, those that the leader has; and `take(events)`.
   */
  constructor(given) {
    this.#given = given;
    this.#pulse = new Pulse({
      timers: given.timers, isNeeded: () => this.#role === "following" && this.#posts.size > 0, ask: () => this.#say({ type: "ask" }), onSilence: () => this.#steal(),
    });
  }

  /** Whether the platform has what several pages need; without it each page is on its own. */
  static areThere({ locks, channels }) {
    return locks !== undefined && locks !== null && channels !== undefined && channels !== null;
  }

  get isLeading() {
    return this.#role === "leading";
  }

  /** Whether another page is there. */
  get hasPeers() {
    return this.#peers.size > 0;
  }

  /** How many of this page's posts wait for the leader. */
  get size() {
    return this.#posts.size;
  }

  // MARK: The lock

  /** Joins the pages. Resolves to whether this one leads. */
  async join() {
    const { channels, name } = this.#given;
    this.#channel = channels(name);
    this.#channel.onmessage = ({ data }) => this.#hear(data);
    const isFirst = await this.#take({ ifAvailable: true });
    if (this.#role === "waiting") this.#follow();
    return isFirst;
  }

  /** Shows what the leader shows, and waits for the lock. */
  #follow() {
    if (this.#stop.signal.aborted) return;
    this.#role = "following";
    this.#queued = new AbortController();
    this.#take({ signal: this.#queued.signal }).catch(() => {});
    this.#say({ type: "hello" });
    if (this.#posts.size > 0) this.#pulse.start();
  }

  /** Asks for the lock; resolves to whether this page has it now. Holds it until `leave`, or until another page takes it. */
  #take(options) {
    const { locks, name } = this.#given;
    const leading = new AbortController();
    return new Promise((resolve, reject) => {
      const hold = (lock) => {
        if (!lock) return resolve(false);
        if (this.#stop.signal.aborted) return undefined;
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
    // Still another page may have taken it at the same time.
    this.#take({ steal: true }).catch(() => this.#role === "following" && this.#follow());
  }

  async #lead(signal) {
    this.#role = "taking";
    this.#pulse.stop();
    this.#holder = await this.#holderOfLock();
    if (!signal.aborted) await this.#given.lead(signal);
    if (this.#stop.signal.aborted || signal.aborted) return;
    this.#role = "leading";
    // Those that the earlier leader stored are among its pending ones, which `post` finds by their names.
    for (const [uid, { post }] of [...this.#posts]) this.#do(uid, post);
    this.#say({ type: "lead", snapshot: this.#given.shown() });
  }

  /** Whether this page still holds the lock. A page that was frozen may not have heard yet that another one took it. */
  async isStillLeading() {
    const leading = this.#leading;
    if (leading === undefined || leading.signal.aborted) return false;
    if (await this.#holderOfLock() !== this.#holder) this.#lose(leading);
    return !leading.signal.aborted;
  }

  async #holderOfLock() {
    const { locks, name, now } = this.#given;
    for (;;) {
      const asked = now();
      const state = await locks.query?.();
      // A page that was frozen before it got the answer asks again: the answer may be out of date.
      if (now() - asked < newest) return state?.held.find((lock) => lock.name === name)?.clientId;
    }
  }

  /** Another page has taken the lock. */
  #lose(leading) {
    if (leading !== this.#leading || leading.signal.aborted || this.#stop.signal.aborted) return;
    leading.abort();
    this.#release();
    this.#peers.clear();
    this.#listeners.clear();
    this.#role = "waiting";
    this.#given.lose();
    this.#follow();
  }

  /** Leaves the pages; the next one leads if this one did. Posts of this page that wait are rejected with the problem. `over`: why the session has ended. */
  leave(problem, over) {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#queued?.abort();
    this.#pulse.stop();
    if (this.#channel) {
      this.#say({ type: "bye", over });
      this.#channel.close();
      // The answers of posts that end now could not be sent.
      this.#channel = undefined;
    }
    this.#release?.();
    for (const { reject } of this.#posts.values()) reject(problem);
    this.#posts.clear();
  }

  // MARK: Messages

  /** A name for a post. */
  newName() {
    return `${this.#given.page}-${(this.#count += 1)}`;
  }

  /** Has the leader do a post of this page. Resolves to the answer; rejects with the problem's body. */
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

  /** Takes a post of this page back. Its promise has no end. */
  drop(uid) {
    if (!this.#posts.delete(uid)) return;
    this.#dropped.set(uid, true);
    if (this.isLeading) this.#given.drop(uid);
    else this.#say({ type: "drop", uid });
  }

  /** Whether a post was taken back, perhaps when no page led that could do so. */
  isDropped(uid) {
    return this.#dropped.has(uid);
  }

  /** Gives the snapshot to the other pages. */
  show(snapshot) {
    if (this.isLeading && this.#peers.size > 0) this.#say({ type: "shown", snapshot });
  }

  /** Gives events to the pages that need them. */
  share(events) {
    if (this.isLeading && this.#listeners.size > 0) this.#say({ type: "events", events });
  }

  /** Gives a refused action to the other pages, with its problem's body. Without `action` only the page that posted it takes it. */
  reject({ uid, action, problem }) {
    if (this.isLeading && this.#peers.size > 0) this.#say({ type: "rejected", uid, action, problem: plain(problem) });
  }

  #takeRejected({ uid, action = this.#posts.get(uid)?.post.body, problem }) {
    if (action !== undefined) this.#given.rejected({ action, problem });
  }

  /** Says whether this page needs events. */
  listen() {
    if (this.#role === "following") this.#say({ type: "listen", after: this.#given.events.after });
  }

  #hear(message) {
    const { page } = this.#given;
    if (this.#stop.signal.aborted || message?.page === page) return;
    if (message.type === "bye" && message.over !== undefined) return this.#given.onOver?.(message.over);
    if (message.type === "ask" && (this.isLeading || this.#role === "taking")) return this.#say({ type: "here" });
    if (message.type === "drop") this.#dropped.set(message.uid, false);
    if (this.isLeading) return this.#serve(message);
    if (ofLeader.has(message.type)) this.#pulse.heard();
    if (message.type === "here") this.#noteSent(message.uid, message.sentAs);
    if (message.type === "answer") return this.#settle(message.uid, message);
    if (message.type === "rejected") return this.#takeRejected(message);
    if (message.type === "events" && (message.to ?? page) === page) return this.#given.events.take(message.events);
    if (message.type !== "lead" && message.type !== "shown") return;
    this.#given.show(message.snapshot);
    if (message.type !== "lead") return;
    // A new leader knows of no post that the earlier one had not stored, and neither of pages nor of readers.
    this.#say({ type: "follow" });
    for (const [uid, { post }] of this.#posts) this.#say({ type: "post", uid, post });
    for (const [uid, isOwn] of this.#dropped) if (isOwn) this.#say({ type: "drop", uid });
    if (this.#given.events?.after !== undefined) this.listen();
  }

  #serve({ type, page, uid, post, after }) {
    const count = this.#peers.size;
    if (type === "hello" || type === "follow" || type === "post") this.#peers.add(page);
    if (type === "bye") this.#peers.delete(page);
    if (type === "bye" || type === "listen") this.#listeners.delete(page);
    if (this.#peers.size !== count) this.#given.onPeers?.(this.#peers.size);
    if (type === "hello") this.#say({ type: "lead", snapshot: this.#given.shown() });
    if (type === "post") this.#doUnlessDropped(uid, post);
    if (type === "drop") this.#given.drop(uid);
    if (type !== "listen" || after === undefined) return;
    this.#listeners.add(page);
    this.#say({ type: "events", to: page, events: this.#given.events.since(after) });
  }

  /** Does a post of another page. A page that was frozen does not know yet that it was taken back. */
  #doUnlessDropped(uid, post) {
    if (!this.#dropped.has(uid)) return this.#do(uid, post, { isOfOther: true });
    this.#say({ type: "answer", uid, problem: { code: "aborted", detail: "the page that posted the action aborted it" } });
  }

  /** Does a post as the leader, for this page or another one. */
  async #do(uid, post, { isOfOther = false } = {}) {
    const answered = this.#given.post(uid, post).then((answer) => ({ answer: plainAnswer(answer) }), (problem) => ({ problem: plain(problem) }));
    const sentAs = this.#given.sentAs(uid);
    if (isOfOther) this.#say({ type: "here", uid, sentAs });
    else this.#noteSent(uid, sentAs);
    const end = await answered;
    if (isOfOther) this.#say({ type: "answer", uid, ...end });
    else this.#settle(uid, end);
  }

  /** The leader sends a post of this page with these members, with which the next leader has to repeat it. */
  #noteSent(uid, sentAs) {
    const waiting = this.#posts.get(uid);
    if (waiting !== undefined && sentAs !== undefined) waiting.post = { ...waiting.post, ...sentAs };
  }

  #settle(uid, { answer, problem }) {
    const post = this.#posts.get(uid);
    if (post === undefined) return;
    this.#posts.delete(uid);
    if (problem) post.reject(problem);
    else post.resolve(answer);
  }

  #say(message) {
    this.#channel?.postMessage({ ...message, page: this.#given.page });
  }
}

/** How old the browser's answer may be, in milliseconds. */
const newest = 1000;

/** The messages that only a leader sends. */
const ofLeader = new Set(["here", "lead", "shown", "events", "answer", "rejected"]);

/** What of a problem can be sent to another page. */
function plain(problem) {
  return problem?.body ?? { code: "failed", detail: String(problem?.message ?? problem) };
}
