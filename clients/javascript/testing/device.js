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

  /**
   * A page: its options; `kill`, with which it is gone as after a crash: nothing of it reaches the network or the disk any more; `freeze` and `wake`, between which nothing of it
   * runs. `posts` counts its requests that change something.
   */
  page(more = {}) {
    this.#pages += 1;
    const name = `${this.#name}-${this.#pages}`;
    const { locks, channels, timers, life, kill, freeze, wake } = this.browser.page(more.timers ?? this.machine.timers);
    const { random, now, network } = this.machine;
    let keys = 0;
    const options = {
      baseURL: this.baseURL, keep: true, locks, channels, indexedDB: this.disk.of(life), timers, random, now, network,
      newKey: () => `${name}-${(keys += 1)}`,
      onNotice: (message, cause) => this.notices.push([message, cause?.message]),
      fetch: async (url, init) => {
        if (life.isOver || !network.isOnline) throw new TypeError("fetch failed");
        if (init?.method === "POST") page.posts += 1;
        const response = await this.machine.fetch(url, init).catch((problem) => problem);
        await life.awake();
        if (response instanceof Error) throw response;
        // A response that is still on its way when the network goes does not arrive. Streams that are open go on.
        if (!network.isOnline) throw new TypeError("fetch failed");
        return response;
      },
      ...more, timers,
    };
    const page = {
      options, posts: 0, kill, freeze, wake,
      start: (given) => start({ ...options, ...given }), connect: (given) => connect({ ...options, ...given }), resume: (given) => resume({ ...options, ...given }),
    };
    return page;
  }
}
