/** Events that wait for whoever reads them: an async iterator. */
export class EventQueue {
  #events = [];
  #readers = [];
  #isOver = false;
  #onReturn;

  /** @param {() => void} onReturn called when nobody reads any more */
  constructor(onReturn) {
    this.#onReturn = onReturn;
  }

  put(event) {
    if (this.#isOver) return;
    const reader = this.#readers.shift();
    if (reader) reader({ done: false, value: event });
    else this.#events.push(event);
  }

  /** No more comes; what waits is read all the same. */
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
}
