/** The platform's functions under a test's control: a manual clock, random numbers that are always 0.5, numbered keys, and a network with a switch. */
export class ManualMachine {
  #waiting = [];
  #now = 0;
  #listeners = new Set();
  #keys = 0;

  constructor(fetch) {
    this.fetch = fetch;
    this.random = () => 0.5;
    this.now = () => this.#now;
    this.newKey = () => `key-${(this.#keys += 1)}`;
    const machine = this;
    this.timers = {
      set: (then, milliseconds) => {
        const timer = { at: this.#now + milliseconds, then };
        this.#waiting.push(timer);
        return timer;
      },
      clear: (timer) => {
        this.#waiting = this.#waiting.filter((one) => one !== timer);
      },
    };
    this.network = {
      isOnline: true,
      whenOnline: (then) => {
        machine.#listeners.add(then);
        return () => machine.#listeners.delete(then);
      },
    };
  }

  /** The remaining times of the timers in milliseconds, the shortest first. */
  get due() {
    return this.#waiting.map((timer) => timer.at - this.#now).sort((one, other) => one - other);
  }

  /** Advances the clock while the device sleeps, so that no timer ends. */
  sleep(milliseconds) { this.#now += milliseconds; }

  /** Advances the clock, and runs each timer at its time. */
  async advance(milliseconds) {
    const end = this.#now + milliseconds;
    for (;;) {
      await settled();
      const next = this.#waiting.filter((timer) => timer.at <= end).sort((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.#now = next.at;
      this.timers.clear(next);
      next.then();
    }
    this.#now = end;
    await settled();
  }

  async goOnline() {
    this.network.isOnline = true;
    for (const then of [...this.#listeners]) then();
    await settled();
  }
}

/** Resolves when all ready tasks have run: a turn of the event loop ends when no microtask is left. */
export async function settled() {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
