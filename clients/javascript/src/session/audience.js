import { EventQueue } from "../event-queue.js";

/** The listeners of a session's snapshots, refusals and exits, and the readers of its events. */
export class Audience {
  #listeners = new Set();
  #queues = new Set();
  #onRejected = new Set();
  #onExit = new Set();
  #onChange;

  /** @param {() => void} onChange called when a listener or a reader is added or removed */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** Whether there is neither a listener of snapshots nor a reader of events. */
  get isEmpty() { return this.#listeners.size === 0 && !this.hasReaders; }
  get hasReaders() { return this.#queues.size > 0; }

  /** Calls `listener` after each change of the snapshot. Returns a function that removes the listener. */
  subscribe(listener) {
    const own = () => listener();
    this.#listeners.add(own);
    this.#onChange();
    return () => {
      this.#listeners.delete(own);
      this.#onChange();
    };
  }

  /** Calls `listener` with each refused action. Returns a function that removes the listener. */
  onRejected(listener) {
    const own = (rejected) => listener(rejected);
    this.#onRejected.add(own);
    return () => this.#onRejected.delete(own);
  }

  /** Calls `listener` when the user has agreed to leave the app in this page. Returns a function that removes the listener. */
  onExit(listener) {
    const own = () => listener();
    this.#onExit.add(own);
    return () => this.#onExit.delete(own);
  }

  /** Adds a reader of the events after the revision `after`, and returns it. */
  events({ after, limit, isOver }) {
    const onReturn = () => {
      this.#queues.delete(queue);
      this.#onChange();
    };
    const queue = new EventQueue({ after, limit, onReturn });
    if (isOver) queue.finish();
    this.#queues.add(queue);
    this.#onChange();
    return queue;
  }

  notify() {
    for (const listener of [...this.#listeners]) call(listener);
  }

  reject(rejected) {
    for (const listener of [...this.#onRejected]) call(listener, rejected);
  }

  exit() {
    for (const listener of [...this.#onExit]) call(listener);
  }

  /** Delivers an event to each reader. A reader whose events were dropped continues from this snapshot. */
  put(event, snapshot) {
    for (const queue of [...this.#queues]) queue.put(event);
    this.recover(snapshot);
  }

  /** Sends this snapshot as a `reset` to readers whose unread events were dropped. */
  recover(snapshot) {
    for (const queue of this.#queues) queue.recover(snapshot);
  }

  finish() {
    for (const queue of [...this.#queues]) queue.finish();
  }
}

/** Calls a listener. Its exception is reported as uncaught, because here it would stop the client's own work, such as queueing actions. */
function call(listener, ...given) {
  try {
    listener(...given);
  } catch (exception) {
    queueMicrotask(() => { throw exception; });
  }
}
