/**
 * The events that one reader of `session.events()` has not read yet: an async iterator with a cursor of its own. Each change after the cursor
 * comes once, in order. A reader that falls behind by more than `limit` events gets one `reset` in place of those that it did not read.
 */
export class EventQueue {
  #events = [];
  #readers = [];
  #isOver = false;
  #after;
  #limit;
  /** The newest change that was dropped; undefined: none is missing. */
  #dropped = undefined;
  #onReturn;

  /** @param {{ after: number, limit?: number, onReturn: () => void }} given `after`: the revision behind which the events begin */
  constructor({ after, limit = 1000, onReturn }) {
    this.#after = after;
    this.#limit = limit;
    this.#onReturn = onReturn;
  }

  /** Takes an event of the stream; one that this reader had already is ignored. */
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

  /** Replaces what was dropped by a `reset` to this snapshot, as soon as the snapshot is not older. */
  recover(snapshot) {
    if (this.#dropped === undefined || snapshot.revision < this.#dropped) return;
    this.put({ type: "reset", revision: snapshot.revision, session: snapshot });
  }

  /** Ends the events; those that wait can still be read. */
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
