import { CairnProblem } from "./problem.js";

/** @typedef {import("./post.js").Post} Post */

/** The limits of a request with numbered actions (docs/api.md). */
const most = { actions: 100, bytes: 200_000 };

/** Numbers the actions that a client posts. A client that the service does not know begins with 1. */
export class Numbering {
  #client;
  #next = 1;
  #machine;

  constructor(machine) {
    this.#machine = machine;
  }

  /** This client's id, of 22 to 64 letters, digits, `-` and `_`. */
  get client() {
    this.#client ??= this.#machine.newKey().replace(/[^A-Za-z0-9_-]/g, "_").padEnd(22, "-").slice(0, 64);
    return this.#client;
  }

  /** Continues with the client id and the numbers of an earlier page. Without them, this page numbers its posts under a new id. */
  resume(/** @type {import("./types").Kept} */ { client, next }) {
    if (client === undefined || next === undefined) return;
    [this.#client, this.#next] = [client, next];
  }

  /** The next number, which is not taken yet. */
  get next() { return this.#next; }

  /** Takes the next number and returns it. The number is used up, even if nothing is posted under it. */
  take() {
    this.#next += 1;
    return this.#next - 1;
  }

  /**
   * Returns the posts at the front of a queue that can be sent in one request, and numbers them. Returns undefined if the first post has to be sent in a
   * separate request, under its key. Posts that already have a number keep it. `isSendable` is called for each post except the first.
   */
  batch(/** @type {Post[]} */ queue, /** @type {(post: Post) => boolean} */ isSendable) {
    const [first] = queue;
    if (first.number === undefined && (queue.length < 2 || !first.isNumberable)) return undefined;
    const batch = [];
    let bytes = 0;
    for (const post of queue) {
      if (batch.length > 0 && !isSendable(post)) break;
      bytes += JSON.stringify(post.body).length * 3;
      if (batch.length === most.actions || (batch.length > 0 && bytes > most.bytes) || !this.#follows(batch.at(-1), post)) break;
      batch.push(post);
    }
    if (batch.length === 1 && first.number === undefined) return undefined;
    for (const post of batch) if (post.number === undefined) post.take(this.client, this.take());
    return batch;
  }

  /** Returns whether a post can follow the post `before` in the same request; `before` is undefined for the first post. */
  #follows(/** @type {Post | undefined} */ before, /** @type {Post} */ post) {
    if (before === undefined) return true;
    if (post.path !== before.path || post.definition !== before.definition || post.isAlone || before.isAlone) return false;
    if (post.number !== undefined) return post.client === before.client && post.number === before.number + 1;
    if (!post.isNumberable) return false;
    // A request does not combine posts of this page with posts of an earlier page.
    return before.number === undefined || (before.client === this.#client && before.number === this.#next - 1);
  }

  /** Returns the request for posts. Its `now` is read for each attempt, because the posts get older while they wait. */
  request(/** @type {Post[]} */ batch) {
    const [{ path, headers, client, number, definition }] = batch;
    const actions = batch.map(({ body, seen, at }) => ({ ...body, seen, at }));
    const now = () => this.#machine.now();
    return { path, headers, body: { client, first: number, get now() { return now(); }, actions, definition } };
  }

  /**
   * Returns the answer or problem of each post of a request, by the post. A post that the service did not run (503) is left out, and is sent again under its
   * number.
   */
  ends(/** @type {Post[]} */ batch, /** @type {import("./types").Reply} */ { answers }) {
    const ends = new Map();
    for (const [index, post] of batch.entries()) {
      const { error, ...answer } = answers[index];
      if (error === undefined) ends.set(post, { answer: { events: [], changes: [], ...answer } });
      else if (error.status !== 503) ends.set(post, { problem: new CairnProblem(error) });
    }
    return ends;
  }

  /**
   * Divides a request that was refused as a whole, so that its posts are sent one by one. Returns false if a post was already sent in a separate request.
   */
  release(/** @type {Post[]} */ batch) {
    if (batch.some((post) => post.isAlone)) return false;
    for (const post of batch) post.divide();
    return true;
  }
}
