/** The time between two questions, in milliseconds. */
const interval = 1500;

/** Maximum number of successive questions without an answer. */
const mostMissed = 2;

/** Asks another page at intervals whether it still runs, for as long as that page is needed. A page that the browser has frozen does not answer. */
export class Pulse {
  #timers;
  #isNeeded;
  #ask;
  #onSilence;
  #timer;
  #missed = 0;

  /**
   * @param {import("./types").Machine["timers"]} timers without timers, no questions are asked
   * @param {() => boolean} isNeeded @param {() => void} ask @param {() => void} onSilence called if too many questions had no answer
   */
  constructor(timers, isNeeded, ask, onSilence) {
    this.#timers = timers;
    this.#isNeeded = isNeeded;
    this.#ask = ask;
    this.#onSilence = onSilence;
  }

  /** Begins to ask the other page, which is needed from now on. */
  start() {
    if (this.#timers !== undefined && this.#timer === undefined) this.#timer = this.#timers.set(() => this.#beat(), interval);
  }

  /** Notes that a message of the other page has arrived. */
  heard() {
    this.#missed = 0;
  }

  stop() {
    if (this.#timer !== undefined) this.#timers.clear(this.#timer);
    this.#timer = undefined;
    this.#missed = 0;
  }

  #beat() {
    const isSilent = this.#missed === mostMissed;
    const missed = this.#missed + 1;
    this.#timer = undefined;
    if (!this.#isNeeded() || isSilent) this.stop();
    if (!this.#isNeeded()) return;
    if (isSilent) return this.#onSilence();
    this.#missed = missed;
    this.#ask();
    this.start();
  }
}
