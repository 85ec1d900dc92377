import { openIndexed } from "./indexed.js";
import { openMemory } from "./memory.js";

/** Used in place of a value, to leave the stored value unchanged. */
export const unchanged = Symbol("unchanged");

/**
 * Values by key that outlive a page. Each change is one transaction. While a transaction runs, later changes are collected in the next transaction, which uses
 * the newest value of each key. A deletion completes its transaction, so changes after it belong to the next one. Without a database, and after a failed
 * change, values are only in memory, which is reported once.
 */
export class Store {
  #content;
  /** @type {(message: string, cause?: unknown) => void} */
  #onNotice;
  #isLasting = true;
  /** The incomplete transactions, each with its entries. The first one is running. */
  #changes = [];

  /**
   * Opens the database with this name. If several pages cannot share the database, values are only in memory. `onNotice` is called with a message and the
   * cause, at most once.
   * @param {string} name @param {{ indexedDB?: IDBFactory | null, isShareable?: boolean, onNotice?: (message: string, cause?: unknown) => void }} options
   */
  static async open(name, { indexedDB, isShareable = true, onNotice = () => {} }) {
    const store = new Store();
    store.#onNotice = onNotice;
    try {
      if (indexedDB === undefined || indexedDB === null) throw new TypeError("there is no IndexedDB");
      if (!isShareable) throw new TypeError("the browser has no Web Locks or no BroadcastChannel, so pages cannot share it");
      store.#content = await openIndexed(indexedDB, name);
    } catch (cause) {
      store.#forgoDisk("the browser's storage cannot be opened", cause);
    }
    return store;
  }

  /** Whether a value that is saved now outlives the page. */
  get isLasting() { return this.#isLasting; }

  /** Resolves to the newest value of a key, even if its transaction is still running; to undefined if the key has no value. */
  async load(key) {
    const waiting = [...this.#changes].reverse().find(({ entries }) => entries.has(key));
    const value = waiting ? await valueOf(waiting.entries.get(key)) : unchanged;
    if (value !== unchanged) return value;
    try {
      return await this.#content.load(key);
    } catch (cause) {
      this.#forgoDisk("the browser's storage cannot be read", cause);
      return undefined;
    }
  }

  /** Resolves to the keys that begin with `prefix`. */
  async keys(prefix) {
    await this.settled();
    try {
      return await this.#content.keys(prefix);
    } catch (cause) {
      this.#forgoDisk("the browser's storage cannot be read", cause);
      return [];
    }
  }

  /** Resolves when no transaction is running. Another page may change the values from then on, and `load` returns its values. */
  async settled() {
    while (this.#changes.length > 0) await this.#changes.at(-1).saved;
  }

  /**
   * Saves an object's values under its keys. An undefined value deletes its key. A function is called when the transaction begins, and returns the value, or a
   * promise of it. Resolves when the values are saved, to whether they outlive the page.
   */
  save(values) {
    const change = this.#open();
    for (const [key, value] of Object.entries(values)) change.entries.set(key, value);
    return change.saved;
  }

  /** Deletes the values of these keys. If one of the keys is saved later, that value belongs to a later transaction. */
  delete(keys) {
    const change = this.#open();
    for (const key of keys) change.entries.set(key, undefined);
    change.isClosed = true;
    return change.saved;
  }

  async clear() {
    for (const { isClosed, entries } of this.#changes) if (!isClosed) entries.clear();
    await this.#changes.at(-1)?.saved;
    await this.#try(() => this.#content.clear());
  }

  /** Returns the change to which entries can be added. Begins a new change if the last one is closed. */
  #open() {
    const last = this.#changes.at(-1);
    if (last && !last.isClosed) return last;
    const change = { entries: new Map(), isClosed: false };
    change.saved = this.#make(change, last?.saved);
    this.#changes.push(change);
    return change;
  }

  /** Makes a change after the previous one. Resolves to whether its values outlive the page. */
  async #make(change, before) {
    await before?.catch(() => {});
    change.isClosed = true;
    try {
      for (const [key, given] of [...change.entries]) {
        const value = await valueOf(given);
        if (value === unchanged) change.entries.delete(key);
        else change.entries.set(key, value);
      }
      await this.#try(() => this.#content.save(change.entries));
    } finally {
      this.#changes.shift();
    }
    return this.#isLasting;
  }

  async #try(run) {
    const tried = this.#content;
    try {
      await run();
    } catch (cause) {
      if (tried === this.#content && !this.#isLasting) throw cause;
      this.#forgoDisk(isFull(cause) ? "the browser's storage is full" : "the browser's storage cannot be written", cause);
      await run();
    }
  }

  /** Continues in memory. Later changes still delete the values that the disk has under the same keys. */
  #forgoDisk(reason, cause) {
    if (!this.#isLasting) return;
    this.#isLasting = false;
    this.#content = openMemory(this.#content);
    this.#onNotice(`${reason}: a reload of this page loses the actions that are not sent yet`, cause);
  }
}

function valueOf(value) {
  return typeof value === "function" ? value() : value;
}

function isFull({ name }) {
  return name === "QuotaExceededError";
}
