/**
 * An IndexedDB in memory, with the functions that the client uses. Transactions are atomic and run in order, and values are copied. A test sets `failure`,
 * `{ open, read, write }`, to the errors of the next calls. `writes` has a map from keys to values for each completed transaction; a deleted key has the value
 * undefined.
 */
export class MemoryIndexedDB {
  failure = {};
  #listeners = new Set();
  writes = [];
  databases = new Map();
  /** If a test sets this function, it is called for each write transaction, which runs when the test calls the function's argument. */
  hold = undefined;

  /** Returns the database for one page. The transactions of a frozen page are performed, and the page receives their events when it wakes up. */
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

  /** Resolves when a condition is true, now or after a transaction; rejects after ten seconds. */
  until(condition) {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`the condition is still false; the keys on the disk are ${this.keys()}`)), 10_000);
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

  /** Records a completed transaction, and checks the conditions of `until`. */
  written(changes) {
    this.writes.push(changes);
    for (const look of [...this.#listeners]) look();
  }

  /** Returns the values that were written under a key, in order; undefined stands for a deletion. */
  valuesOf(key) {
    return this.writes.filter((changes) => changes.has(key)).map((changes) => changes.get(key));
  }

  /** Returns the value under a key, for tests. */
  stored(key, name = "cairn") {
    return this.databases.get(name)?.get("values")?.get(key);
  }

  /** Returns all keys. */
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
