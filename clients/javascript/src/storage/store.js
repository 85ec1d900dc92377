import { openIndexed } from "./indexed.js";
import { openMemory } from "./memory.js";

/**
 * Values by key that outlive a page. Each change is one transaction; while one is on its way, later ones are collected in the next, in which the newest value of a
 * key wins. Without a database, and after a failed change, values are only in memory, which is said once.
 */
export class Store {
  #content;
  #onNotice;
  #isLasting = true;
  /** The entries of the next transaction, and the promise of it. */
  #next;
  #running;

  /** Opens the database with this name. `onNotice` is called with a message and the cause, at most once. */
  static async open(name, { indexedDB, onNotice = () => {} }) {
    const store = new Store();
    store.#onNotice = onNotice;
    try {
      if (indexedDB === undefined || indexedDB === null) throw new TypeError("there is no IndexedDB");
      store.#content = await openIndexed(indexedDB, name);
    } catch (cause) {
      store.#forgoDisk("the browser's storage cannot be opened", cause);
    }
    return store;
  }

  /** Whether a value that is saved now outlives the page. */
  get isLasting() {
    return this.#isLasting;
  }

  /** The newest value of a key, also of a change that is still on its way; undefined: none. */
  async load(key) {
    const waiting = [this.#next, this.#running].find((change) => change?.entries.has(key));
    if (waiting) return valueOf(waiting.entries.get(key));
    try {
      return await this.#content.load(key);
    } catch (cause) {
      this.#forgoDisk("the browser's storage cannot be read", cause);
      return undefined;
    }
  }

  /** Saves an object's values under its keys; undefined deletes one, and a function is called for its value when the transaction begins. Resolves when they are saved, to whether they outlive the page. */
  save(values) {
    this.#next ??= { entries: new Map(), saved: undefined };
    for (const [key, value] of Object.entries(values)) this.#next.entries.set(key, value);
    this.#next.saved ??= this.#afterRunning();
    return this.#next.saved;
  }

  /** Deletes all values. */
  async clear() {
    this.#next = undefined;
    await this.#running?.saved;
    await this.#try(() => this.#content.clear());
  }

  async #afterRunning() {
    await this.#running?.saved;
    const change = this.#next;
    if (change === undefined) return this.#isLasting;
    [this.#running, this.#next] = [change, undefined];
    for (const [key, value] of change.entries) change.entries.set(key, valueOf(value));
    await this.#try(() => this.#content.save(change.entries));
    if (this.#running === change) this.#running = undefined;
    return this.#isLasting;
  }

  async #try(run) {
    try {
      await run();
    } catch (cause) {
      const keys = [...(this.#running?.entries.keys() ?? [])];
      const stale = this.#content;
      this.#forgoDisk(isFull(cause) ? "the browser's storage is full" : "the browser's storage cannot be written", cause);
      // The values that an earlier change saved under these keys are out of date. Deleting needs no space.
      await stale.save(new Map(keys.map((key) => [key, undefined]))).catch(() => {});
      await run();
    }
  }

  #forgoDisk(reason, cause) {
    const isFirst = this.#isLasting;
    this.#isLasting = false;
    this.#content = openMemory();
    if (isFirst) this.#onNotice(`${reason}: a reload of this page loses what is not sent`, cause);
  }
}

function valueOf(value) {
  return typeof value === "function" ? value() : value;
}

function isFull({ name }) {
  return name === "QuotaExceededError";
}
