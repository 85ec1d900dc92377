/** A machine under a test's control: time advances on request, random numbers are a half, keys count, and the network can be switched off.
*/
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

  /** When the timers end, from now on. */
  get due() {
    return this.#waiting.map((timer) => timer.at - this.#now).sort((one, other) => one - other);
  }

  /** Lets time go on, timer by timer. */
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

/** All that is ready to run has run: a turn of the loop ends when no microtask is left. */
export async function settled() {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
