/**
 * The pages of one session in one browser. One of them leads: it holds a lock, and with it the storage, the outbox and the stream. The others send their posts to it
 * and show what it shows. When its page is gone, the browser gives the lock to the next one.
 *
 * A post has a name of its own (`uid`). A page sends its posts again to each new leader, so a leader that gets one twice does it once.
 */
export class Tabs {
  #channel;
  #release;
  #stop = new AbortController();
  #role = "waiting";
  #given;
  #posts = new Map();
  #count = 0;
  #peers = new Set();
  /** The pages that have readers of events. */
  #listeners = new Set();

  /**
   * @param {{ locks, channels, name: string, page: string, lead, post, shown, show, events, onPeers }} given `page`: a name that no other page has. `lead()`: this page leads from
   * now on, resolves when it can do posts. `post(uid, post)`: does one for another page, resolves to its answer. `shown()`: the snapshot for the other pages.
   * `show(snapshot)`: the leader's. `onPeers(count)`: how many other pages are there. `events`: `after`, the revision behind which this page needs events; `since(revision)`,
   * those that the leader has; and `take(events)`
   */
  constructor(given) {
    this.#given = given;
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

  /** Joins the pages. Resolves to whether this one leads. */
  async join() {
    const { locks, channels, name } = this.#given;
    this.#channel = channels(name);
    this.#channel.onmessage = ({ data }) => this.#hear(data);
    const isFirst = await this.#take(locks, name, { ifAvailable: true });
    if (isFirst || this.#stop.signal.aborted) return isFirst;
    this.#role = "following";
    this.#take(locks, name, { signal: this.#stop.signal }).catch(() => {});
    this.#say({ type: "hello" });
    return false;
  }

  /** Asks for the lock; resolves to whether this page has it now. Holds it until `leave`. */
  #take(locks, name, options) {
    return new Promise((resolve, reject) => {
      const hold = (lock) => {
        if (!lock) return resolve(false);
        if (this.#stop.signal.aborted) return undefined;
        const held = new Promise((release) => { this.#release = release; });
        this.#lead().then(() => resolve(true), reject);
        return held;
      };
      locks.request(name, options, hold).catch(reject);
    });
  }

  async #lead() {
    this.#role = "taking";
    await this.#given.lead();
    if (this.#stop.signal.aborted) return;
    this.#role = "leading";
    // Those that the earlier leader stored are among its pending ones, which `post` finds by their names.
    for (const [uid, { post }] of [...this.#posts]) this.#do(uid, post);
    this.#say({ type: "lead", snapshot: this.#given.shown() });
  }

  /** Has the leader do a post of this page. Resolves to the answer; rejects with the problem's body. */
  post(post) {
    this.#count += 1;
    const uid = `${this.#given.page}-${this.#count}`;
    return new Promise((resolve, reject) => {
      this.#posts.set(uid, { post, resolve, reject });
      if (this.isLeading) this.#do(uid, post);
      else if (this.#role === "following") this.#say({ type: "post", uid, post });
    });
  }

  /** Gives the snapshot to the other pages. */
  show(snapshot) {
    if (this.isLeading && this.#peers.size > 0) this.#say({ type: "shown", snapshot });
  }

  /** Gives events to the pages that need them. */
  share(events) {
    if (this.isLeading && this.#listeners.size > 0) this.#say({ type: "events", events });
  }

  /** Says whether this page needs events. */
  listen() {
    if (this.#role === "following") this.#say({ type: "listen", after: this.#given.events.after });
  }

  /** Leaves the pages; the next one leads if this one did. Posts of this page that wait are rejected with the problem. */
  leave(problem) {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    if (this.#channel) {
      this.#say({ type: "bye" });
      this.#channel.close();
    }
    this.#release?.();
    for (const { reject } of this.#posts.values()) reject(problem);
    this.#posts.clear();
  }

  #hear(message) {
    const { page } = this.#given;
    if (this.#stop.signal.aborted || message?.page === page) return;
    if (this.isLeading) return this.#serve(message);
    if (message.type === "answer") return this.#settle(message.uid, message);
    if (message.type === "events" && (message.to ?? page) === page) return this.#given.events.take(message.events);
    if (message.type !== "lead" && message.type !== "shown") return;
    this.#given.show(message.snapshot);
    if (message.type !== "lead") return;
    // A new leader knows of no post that the earlier one had not stored, and not of readers.
    for (const [uid, { post }] of this.#posts) this.#say({ type: "post", uid, post });
    if (this.#given.events?.after !== undefined) this.listen();
  }

  #serve({ type, page, uid, post, after }) {
    const count = this.#peers.size;
    if (type === "hello" || type === "post") this.#peers.add(page);
    if (type === "bye") this.#peers.delete(page);
    if (type === "bye" || type === "listen") this.#listeners.delete(page);
    if (this.#peers.size !== count) this.#given.onPeers?.(this.#peers.size);
    if (type === "hello") this.#say({ type: "lead", snapshot: this.#given.shown() });
    if (type === "post") this.#do(uid, post, true);
    if (type !== "listen" || after === undefined) return;
    this.#listeners.add(page);
    this.#say({ type: "events", to: page, events: this.#given.events.since(after) });
  }

  /** Does a post as the leader, for this page or another one. */
  async #do(uid, post, isOfOther = false) {
    const end = await this.#given.post(uid, post).then((answer) => ({ answer }), (problem) => ({ problem: plain(problem) }));
    if (isOfOther) this.#say({ type: "answer", uid, ...end });
    else this.#settle(uid, end);
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

/** What of a problem can be sent to another page. */
function plain(problem) {
  return problem?.body ?? { code: "failed", detail: String(problem?.message ?? problem) };
}
