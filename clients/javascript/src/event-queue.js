/**
 * The events that one reader of `session.events()` has not read yet, as an async iterator. It returns each change after the revision `after` once, in order. If
 * a reader has more than `limit` unread events, one `reset` replaces them.
 */
export class EventQueue {
  #events = [];
  #readers = [];
  #isOver = false;
  #after;
  #limit;
  /** The revision of the newest change that was dropped; undefined if no change was dropped. */
  #dropped = undefined;
  #onReturn;

  /** @param {{ after: number, limit?: number, onReturn: () => void }} given `after`: the revision after which the events begin */
  constructor({ after, limit = 1000, onReturn }) {
    this.#after = after;
    this.#limit = limit;
    this.#onReturn = onReturn;
  }

  /** Adds an event of the stream. Ignores an event that this reader has already received. */
  put(event) {
    if (this.#isOver || (event.type !== "reset" && event.revision <= this.#after)) return;
    this.#after = event.revision;
    if (event.type === "reset") this.#dropped = undefined;
    else if (this.#dropped !== undefined || this.#events.length >= this.#limit) {
      this.#events = [];
      this.#dropped = event.revision;
      return;
    }
    this.#deliver(event);
  }

  /** Replaces the dropped events by a `reset` to this snapshot, unless the snapshot is older than the dropped events. */
  recover(snapshot) {
    if (this.#dropped === undefined || snapshot.revision < this.#dropped) return;
    this.put({ type: "reset", revision: snapshot.revision, session: snapshot });
  }

  /** Ends the events. The events in the queue can still be read. */
  finish() {
    this.#isOver = true;
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
  }

  next() {
    if (this.#events.length > 0) return Promise.resolve({ done: false, value: this.#events.shift() });
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  return() {
    this.#events = [];
    this.finish();
    this.#onReturn();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  #deliver(event) {
    const reader = this.#readers.shift();
    if (reader) reader({ done: false, value: event });
    else this.#events.push(event);
  }
}
