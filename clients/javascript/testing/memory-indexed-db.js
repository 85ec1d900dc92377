/**
 * An IndexedDB in memory with as much of it as the client uses: transactions that are whole or not at all, in order, and values that are copies. Tests set
 * `failure`: `{ open, read, write }`, each an error of the next calls. `writes` has what the transactions wrote that were completed: each a map from keys to values,
 * with undefined for what was deleted.
 */
export class MemoryIndexedDB {
  failure = {};
  #listeners = new Set();
  writes = [];
  databases = new Map();
  /** Set to a function that collects: transactions wait until a test calls what it got. */
  hold = undefined;

  /** The same for one page with its life. A frozen page's transactions are done, and it hears of them when it wakes up. */
  of(life) {
    return { open: (name, version) => this.open(name, version, life) };
  }

  open(name, version, life = { isOver: false, run: (task) => task() }) {
    const request = {};
    later(() => {
      if (this.failure.open) return fail(request, this.failure.open);
      const isNew = !this.databases.has(name);
      if (isNew) this.databases.set(name, new Map());
      request.result = new Database(this, this.databases.get(name), life);
      if (isNew) request.onupgradeneeded?.();
      request.onsuccess?.();
    });
    return request;
  }

  /** Resolves when a condition holds after a transaction, or now; rejects after ten seconds. */
  until(condition) {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`the disk has still only ${this.keys()}`)), 10_000);
      const look = () => {
        if (!condition()) return;
        clearTimeout(late);
        this.#listeners.delete(look);
        resolve();
      };
      this.#listeners.add(look);
      look();
    });
  }

  /** A transaction is complete. */
  written(changes) {
    this.writes.push(changes);
    for (const look of [...this.#listeners]) look();
  }

  /** The values that were written under a key, in order; undefined: it was deleted. */
  valuesOf(key) {
    return this.writes.filter((changes) => changes.has(key)).map((changes) => changes.get(key));
  }

  /** The value under a key, as a test reads it. */
  stored(key, name = "cairn") {
    return this.databases.get(name)?.get("values")?.get(key);
  }

  /** All keys. */
  keys(name = "cairn") {
    return [...(this.databases.get(name)?.get("values")?.keys() ?? [])];
  }
}

class Database {
  #owner;
  #tables;
  #life;
  #isClosed = false;

  constructor(owner, tables, life) {
    this.#owner = owner;
    this.#life = life;
    this.#tables = tables;
    this.objectStoreNames = { contains: (name) => tables.has(name) };
  }

  createObjectStore(name) {
    this.#tables.set(name, new Map());
  }

  transaction([name], mode) {
    if (this.#isClosed) throw new DOMException("the database is closed", "InvalidStateError");
    return new Transaction(this.#owner, this.#tables, name, mode, this.#life);
  }

  close() {
    this.#isClosed = true;
  }
}

class Transaction {
  error = null;
  #steps = [];
  #changes = new Map();

  constructor(owner, tables, name, mode, life) {
    const run = () => {
      if (life.isOver) return;
      const draft = new Map(tables.get(name));
      const problem = mode === "readonly" ? owner.failure.read : owner.failure.write;
      if (problem) return life.run(() => this.#abort(problem));
      for (const { request, step } of this.#steps) request.result = step(draft);
      if (mode !== "readonly") {
        tables.set(name, draft);
        owner.written(this.#changes);
      }
      life.run(() => {
        for (const { request } of this.#steps) request.onsuccess?.();
        this.oncomplete?.();
      });
    };
    later(() => (owner.hold && mode !== "readonly" ? owner.hold(run) : run()));
  }

  #abort(problem) {
    for (const { request } of this.#steps) fail(request, problem);
    this.error = problem;
    this.onabort?.();
  }

  objectStore() {
    const add = (step) => {
      const request = {};
      this.#steps.push({ request, step });
      return request;
    };
    return {
      get: (key) => add((values) => structuredClone(values.get(key))),
      getAllKeys: () => add((values) => [...values.keys()]),
      put: (value, key) => {
        const copy = structuredClone(value);
        return add((values) => { values.set(key, copy); this.#changes.set(key, copy); });
      },
      delete: (key) => add((values) => { values.delete(key); this.#changes.set(key, undefined); }),
      clear: () => add((values) => values.clear()),
    };
  }
}

function later(run) {
  setImmediate(run);
}

function fail(request, problem) {
  request.error = problem;
  request.onerror?.();
}
