/** The locks and channels of one browser, for several pages in a test. */
export class Browser {
  #locks = new Map();
  #channels = new Set();
  /** Of a page: its locks and channels, until `kill`. */
  page() {
    const own = { isGone: false, releases: new Set() };
    const locks = { request: (name, options, hold) => this.#request(own, name, options, hold) };
    const channels = (name) => this.#open(own, name);
    /** Ends the page as a crash does: its locks are free, and nothing of it is heard or hears any more. */
    const kill = () => {
      own.isGone = true;
      for (const release of [...own.releases]) release();
    };
    return { locks, channels, kill };
  }

  #request(own, name, { ifAvailable = false, signal } = {}, hold) {
    const queue = this.#locks.get(name) ?? [];
    this.#locks.set(name, queue);
    if (ifAvailable && queue.length > 0) return Promise.resolve(hold(null));
    return new Promise((resolve, reject) => {
      const entry = { own, start: undefined };
      const leave = () => {
        own.releases.delete(leave);
        const wasFirst = queue[0] === entry;
        if (queue.includes(entry)) queue.splice(queue.indexOf(entry), 1);
        if (wasFirst) queue[0]?.start();
      };
      entry.start = () => setImmediate(() => {
        if (queue[0] !== entry) return;
        Promise.resolve(hold({ name })).then((value) => { leave(); resolve(value); }, (problem) => { leave(); reject(problem); });
      });
      own.releases.add(leave);
      signal?.addEventListener("abort", () => {
        if (queue[0] === entry) return;
        leave();
        reject(signal.reason);
      });
      queue.push(entry);
      if (queue[0] === entry) entry.start();
    });
  }

  #open(own, name) {
    const channel = { name, own, onmessage: null, close: () => this.#channels.delete(channel) };
    channel.postMessage = (message) => {
      if (own.isGone) return;
      const data = structuredClone(message);
      setImmediate(() => {
        for (const other of [...this.#channels]) {
          if (other !== channel && other.name === name && !other.own.isGone) other.onmessage?.({ data: structuredClone(data) });
        }
      });
    };
    this.#channels.add(channel);
    return channel;
  }
}
