/** The time that an answer may take, in milliseconds. */
const interval = 1500;

/** Maximum number of successive questions without an answer. */
const mostMissed = 2;

/** Asks another page at intervals whether it still runs, for as long as that page is needed. A page that the browser has frozen does not answer. */
export class Pulse {
  #given;
  #timer;
  #missed = 0;

  /** @param {{ timers, isNeeded, ask, onSilence }} given `onSilence()`: called if too many questions had no answer. Without `timers` no questions are asked */
  constructor(given) {
    this.#given = given;
  }

  /** Begins to ask the other page, which is needed from now on. */
  start() {
    const { timers } = this.#given;
    if (timers !== undefined && this.#timer === undefined) this.#timer = timers.set(() => this.#beat(), interval);
  }

  /** Notes that a message of the other page has arrived. */
  heard() {
    this.#missed = 0;
  }

  stop() {
    if (this.#timer !== undefined) this.#given.timers.clear(this.#timer);
    this.#timer = undefined;
    this.#missed = 0;
  }

  #beat() {
    const { isNeeded, ask, onSilence } = this.#given;
    const isSilent = this.#missed === mostMissed;
    const missed = this.#missed + 1;
    this.#timer = undefined;
    if (!isNeeded() || isSilent) this.stop();
    if (!isNeeded()) return;
    if (isSilent) return onSilence();
    this.#missed = missed;
    ask();
    this.start();
  }
}
