import { randomUUID } from "node:crypto";
import { connect, resume, start } from "../src/starting.js";
import { ManualMachine } from "./manual-machine.js";
import { MemoryIndexedDB } from "./memory-indexed-db.js";
import { Browser } from "./pages.js";

/** A browser with a disk, whose pages are opened and lost one after the other or side by side. All share one manual clock and one network. */
export class Device {
  disk = new MemoryIndexedDB();
  browser = new Browser();
  notices = [];
  #pages = 0;
  /** Two devices have no key in common. */
  #name = randomUUID();

  /** @param {string} baseURL of a service; `fetch`: how it is reached */
  constructor(baseURL, fetch = globalThis.fetch) {
    this.baseURL = baseURL;
    this.machine = new ManualMachine((...given) => this.fetch(...given));
    this.fetch = fetch;
    this.isOnline = true;
  }

  set isOnline(is) {
    this.machine.network.isOnline = is;
  }

  /** The network is back. */
  goOnline() {
    return this.machine.goOnline();
  }

  /** Resolves when a session that begins offline, or goes on, has all it needs: the definition, and the state. */
  ready(id) {
    return this.disk.until(() => this.stored(id)?.replica !== undefined && this.disk.keys().some((key) => key.startsWith("app ")));
  }

  /** The stored content of a session. */
  stored(id) {
    return this.disk.stored(`session ${this.baseURL} ${id}`);
  }

  /** A page: its options, and `kill`, with which it is gone as after a crash: nothing of it reaches the network or the disk any more. */
  page(more = {}) {
    this.#pages += 1;
    const name = `${this.#name}-${this.#pages}`;
    const { locks, channels, kill } = this.browser.page();
    const { random, now, network } = this.machine;
    const timers = mortal(more.timers ?? this.machine.timers);
    const own = { isGone: false };
    let keys = 0;
    const options = {
      baseURL: this.baseURL, keep: true, locks, channels, indexedDB: this.disk.of(own), timers, random, now, network,
      newKey: () => `${name}-${(keys += 1)}`,
      onNotice: (message, cause) => this.notices.push([message, cause?.message]),
      fetch: (url, init) => {
        if (own.isGone || !network.isOnline) return Promise.reject(new TypeError("fetch failed"));
        return this.machine.fetch(url, init);
      },
      ...more, timers,
    };
    return {
      options,
      start: (given) => start({ ...options, ...given }), connect: (given) => connect({ ...options, ...given }), resume: (given) => resume({ ...options, ...given }),
      kill: () => { own.isGone = true; timers.end(); kill(); },
    };
  }
}

/** Timers that a lost page takes with it. */
function mortal(timers) {
  const running = new Set();
  let isOver = false;
  return {
    set(then, milliseconds) {
      if (isOver) return undefined;
      const timer = timers.set(() => { running.delete(timer); then(); }, milliseconds);
      running.add(timer);
      return timer;
    },
    clear(timer) {
      running.delete(timer);
      if (timer !== undefined) timers.clear(timer);
    },
    end() {
      isOver = true;
      for (const timer of running) timers.clear(timer);
    },
  };
}
