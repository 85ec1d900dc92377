import { CairnProblem } from "./problem.js";

/** The limits of a request with numbered actions (docs/api.md). */
const most = { actions: 100, bytes: 200_000 };

/** The numbers of the actions that a client posts. A client that is not known to the service begins with 1. */
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

  /** Goes on with the numbers of an earlier page. Without a next number only that page's own posts have its id. */
  resume({ client, next }) {
    if (client === undefined || next === undefined) return;
    [this.#client, this.#next] = [client, next];
  }

  /** The number that is taken next. */
  get next() {
    return this.#next;
  }

  /** The next number. It is used up, also if nothing is posted under it. */
  take() {
    this.#next += 1;
    return this.#next - 1;
  }

  /**
   * The posts at the front of a queue that go in one request, numbered; undefined: the first one goes by itself, under its key. Those that have a number
   * were sent before, and are repeated under it. `isSendable` is asked of each but the first.
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

  /** Whether a post can go in one request behind another one; `before` is undefined for the first. */
  #follows(before, item) {
    if (before === undefined) return true;
    if (item.path !== before.path || item.definition !== before.definition || item.isAlone || before.isAlone) return false;
    if (item.number !== undefined) return item.client === before.client && item.number === before.number + 1;
    if (!isNumberable(item)) return false;
    // Behind posts of an earlier page come those of this page, in a request of their own.
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

  /** How each post of an answered request ends: with an answer or a problem. One that has no end did not run, and is posted again under its number. */
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
   * Lets each post of a request that was refused whole be sent by itself: without its number, or, if others may refer to that, under it. Returns
   * false if it was one post.
   */
  release(batch) {
    for (const item of batch) {
      if (item.isAlone) return false;
      Object.assign(item, item.order === undefined ? { client: undefined, number: undefined, isNumberable: false } : { isAlone: true });
    }
    return true;
  }
}

/** An action without a condition and without a key of its caller. */
export function isNumberable({ path, body, headers, isNumberable }) {
  return isNumberable && path.endsWith("/actions") && !Array.isArray(body) && headers["If-Match"] === undefined;
}

/** A client's id from a key. */
function clientId(key) {
  return key.replace(/[^A-Za-z0-9_-]/g, "_").padEnd(22, "-").slice(0, 64);
}
