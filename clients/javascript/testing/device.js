import { randomUUID } from "node:crypto";
import { connect, resume, start } from "../src/starting.js";
import { ManualMachine } from "./manual-machine.js";
import { MemoryIndexedDB } from "./memory-indexed-db.js";
import { Browser } from "./pages.js";

/** A browser with a disk, for several pages at once or one after the other. All pages share one manual clock and one network. */
export class Device {
  disk = new MemoryIndexedDB();
  browser = new Browser();
  notices = [];
  #pages = 0;
  /** A random name, so that two devices never use the same key. */
  #name = randomUUID();

  /** @param {string} baseURL the URL of a service; `fetch`: sends requests to it */
  constructor(baseURL, fetch = globalThis.fetch) {
    this.baseURL = baseURL;
    this.machine = new ManualMachine((...given) => this.fetch(...given));
    this.fetch = fetch;
    this.isOnline = true;
  }

  set isOnline(is) {
    this.machine.network.isOnline = is;
  }

  /** Makes the network available again. */
  goOnline() {
    return this.machine.goOnline();
  }

  /** Resolves when the disk has everything that a page needs offline: the state of the session, and a definition. */
  ready(id) {
    return this.disk.until(() => this.stored(id)?.replica !== undefined && this.disk.keys().some((key) => key.startsWith("app ")));
  }

  /** The stored content of a session; undefined if nothing is stored. */
  stored(id) {
    return this.disk.stored(`session ${this.baseURL} ${id}`);
  }

  /**
   * Creates a page. After `kill`, as after a crash, the page no longer reaches the network or the disk. Between `freeze` and `wake` nothing of the page runs.
   * `posts` counts its POST requests.
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
        // A response does not arrive if the network is lost before it. Open streams continue.
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
