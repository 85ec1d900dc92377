/** A model of one browser's locks and channels, for several pages in a test. */
export class Browser {
  #locks = new Map();
  #channels = new Set();
  #count = 0;

  /** Creates a page with locks, channels and timers. A test can kill, freeze and wake the page. Other parts of the page run their tasks in `life`. */
  page(timers) {
    const life = new Life(this.#count += 1, timers);
    const locks = {
      request: (name, options, hold) => this.#request(life, name, options, hold),
      query: async () => {
        const held = [...this.#locks].flatMap(([name, [first]]) => (first ? [{ name, clientId: first.life.id }] : []));
        await life.awake();
        return { held, pending: [] };
      },
    };
    const channels = (name) => this.#open(life, name);
    return { locks, channels, timers: timers && life.timers, life, kill: () => life.end(), freeze: () => life.freeze(), wake: () => life.wake() };
  }

  /** Takes a lock away from its holder. */
  lose(name) {
    const [held] = this.#locks.get(name).splice(0, 1);
    held.lose();
    this.#locks.get(name)[0]?.start();
  }

  #request(life, name, { ifAvailable = false, steal = false, signal } = {}, hold) {
    if (life.isOver) return new Promise(() => {});
    const queue = this.#locks.get(name) ?? [];
    this.#locks.set(name, queue);
    if (ifAvailable && queue.length > 0) return Promise.resolve(hold(null));
    return new Promise((resolve, reject) => {
      const entry = { life, start: undefined, lose: undefined };
      const leave = () => {
        life.releases.delete(leave);
        const wasFirst = queue[0] === entry;
        if (queue.includes(entry)) queue.splice(queue.indexOf(entry), 1);
        if (wasFirst) queue[0]?.start();
      };
      entry.start = () => setImmediate(() => life.run(() => {
        if (queue[0] !== entry) return;
        Promise.resolve(hold({ name })).then((value) => { leave(); resolve(value); }, (problem) => { leave(); reject(problem); });
      }));
      entry.lose = () => setImmediate(() => life.run(() => reject(new DOMException("the lock was stolen", "AbortError"))));
      life.releases.add(leave);
      signal?.addEventListener("abort", () => {
        if (queue[0] === entry) return;
        leave();
        reject(signal.reason);
      });
      if (steal) queue.splice(0, 1, entry).forEach(({ lose }) => lose());
      else queue.push(entry);
      if (queue[0] === entry) entry.start();
    });
  }

  #open(life, name) {
    const channel = { name, life, onmessage: null, close: () => this.#channels.delete(channel) };
    channel.postMessage = (message) => {
      if (life.isOver) return;
      const data = structuredClone(message);
      setImmediate(() => {
        for (const other of [...this.#channels]) {
          if (other !== channel && other.name === name) other.life.run(() => other.onmessage?.({ data: structuredClone(data) }));
        }
      });
    };
    this.#channels.add(channel);
    return channel;
  }
}

/** The execution of a page: no task runs while the page is frozen, or after its end. */
class Life {
  isOver = false;
  releases = new Set();
  #frozen;
  #timers;
  #running = new Set();

  constructor(number, timers) {
    this.id = `client ${number}`;
    this.#timers = timers;
  }

  timers = {
    set: (then, milliseconds) => {
      if (this.isOver) return undefined;
      const timer = this.#timers.set(() => this.run(() => this.#running.delete(timer) && then()), milliseconds);
      this.#running.add(timer);
      return timer;
    },
    clear: (timer) => {
      this.#running.delete(timer);
      if (timer !== undefined) this.#timers.clear(timer);
    },
  };

  /** Runs a task of the page. If the page is frozen, the task runs when the page wakes up. */
  run(task) {
    if (this.isOver) return;
    if (this.#frozen) this.#frozen.push(task);
    else task();
  }

  /** Resolves when the page is not frozen. */
  awake() {
    return new Promise((resolve) => this.run(resolve));
  }

  freeze() {
    this.#frozen ??= [];
  }

  wake() {
    const tasks = this.#frozen ?? [];
    this.#frozen = undefined;
    for (const task of tasks) this.run(task);
  }

  /** Ends the page like a crash: releases its locks, clears its timers, and drops its later tasks and messages. */
  end() {
    this.isOver = true;
    for (const timer of this.#running) this.#timers.clear(timer);
    for (const release of [...this.releases]) release();
  }
}
