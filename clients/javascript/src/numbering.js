import { CairnProblem } from "./problem.js";

/** The limits of a request with numbered actions (docs/api.md). */
const most = { actions: 100, bytes: 200_000 };

/** Numbers the actions that a client posts. A client that the service does not know begins with 1. */
export class Numbering {
  #client;
  #next = 1;

  constructor(machine) {
    this.machine = machine;
  }

  /** This client's id, of 22 to 64 letters, digits, `-` and `_`. */
  get client() {
    this.#client ??= clientId(this.machine.newKey());
    return this.#client;
  }

  /** Continues with the client id and the numbers of an earlier page. Without them, this page numbers its posts under a new id. */
  resume({ client, next }) {
    if (client === undefined || next === undefined) return;
    [this.#client, this.#next] = [client, next];
  }

  /** The next number, which is not taken yet. */
  get next() {
    return this.#next;
  }

  /** Takes the next number and returns it. The number is used up, even if nothing is posted under it. */
  take() {
    this.#next += 1;
    return this.#next - 1;
  }

  /**
   * Returns the posts at the front of a queue that can be sent in one request, and numbers them. Returns undefined if the first post has to be sent by itself,
   * under its key. Posts that have a number were sent before, and are repeated under it. `isSendable` is called for each post except the first.
   */
  batch(queue, isSendable) {
    const [first] = queue;
    if (first.number === undefined && (queue.length < 2 || !isNumberable(first))) return undefined;
    const batch = [];
    let bytes = 0;
    for (const item of queue) {
      if (batch.length > 0 && !isSendable(item)) break;
      bytes += JSON.stringify(item.body).length * 3;
      if (batch.length === most.actions || (batch.length > 0 && bytes > most.bytes) || !this.#follows(batch.at(-1), item)) break;
      batch.push(item);
    }
    if (batch.length === 1 && first.number === undefined) return undefined;
    for (const item of batch) this.#assign(item);
    return batch;
  }

  /** Returns whether a post can follow the post `before` in the same request; `before` is undefined for the first post. */
  #follows(before, item) {
    if (before === undefined) return true;
    if (item.path !== before.path || item.definition !== before.definition || item.isAlone || before.isAlone) return false;
    if (item.number !== undefined) return item.client === before.client && item.number === before.number + 1;
    if (!isNumberable(item)) return false;
    // A request does not combine posts of this page with posts of an earlier page.
    return before.number === undefined || (before.client === this.#client && before.number === this.#next - 1);
  }

  #assign(item) {
    if (item.number !== undefined) return;
    item.client = this.client;
    item.number = this.take();
  }

  request(batch) {
    const [{ path, headers, client, number, definition }] = batch;
    return { path, headers, body: { client, first: number, actions: batch.map(({ body }) => body), definition } };
  }

  /**
   * Returns the result of each post of an answered request: an answer or a problem. If the service did not run a post, the post has no result, and is posted
   * again under its number.
   */
  ends(batch, { answers }) {
    const ends = new Map();
    for (const [index, item] of batch.entries()) {
      const { error, ...answer } = answers[index];
      if (error === undefined) ends.set(item, { answer: { events: [], changes: [], ...answer } });
      else if (error.status !== 503) ends.set(item, { problem: new CairnProblem(error) });
    }
    return ends;
  }

  /**
   * Marks the posts of a request that was refused as a whole to be sent one by one. They lose their numbers, unless other posts may refer to these. Returns
   * false if one of the posts was already sent by itself.
   */
  release(batch) {
    for (const item of batch) {
      if (item.isAlone) return false;
      Object.assign(item, item.order === undefined ? { client: undefined, number: undefined, isNumberable: false } : { isAlone: true });
    }
    return true;
  }
}

/** Returns whether a post is a single action without a condition and without a key that its caller chose. */
export function isNumberable({ path, body, headers, isNumberable }) {
  return isNumberable && path.endsWith("/actions") && !Array.isArray(body) && headers["If-Match"] === undefined;
}

/** Returns a client id that is made from a key. */
function clientId(key) {
  return key.replace(/[^A-Za-z0-9_-]/g, "_").padEnd(22, "-").slice(0, 64);
}
