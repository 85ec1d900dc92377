/** How long an answer is awaited, in milliseconds. */
const interval = 1500;

/** How many questions in a row may have no answer. */
const mostMissed = 2;

/** Asks another page at intervals whether it still runs, for as long as it is needed. A page that the browser has frozen does not answer. */
export class Pulse {
  #given;
  #timer;
  #missed = 0;

  /** @param {{ timers, isNeeded, ask, onSilence }} given `onSilence()`: called if too many questions had no answer. Without `timers` nothing is asked */
  constructor(given) {
    this.#given = given;
  }

  /** The other page is needed from now on. */
  start() {
    const { timers } = this.#given;
    if (timers !== undefined && this.#timer === undefined) this.#timer = timers.set(() => this.#beat(), interval);
  }

  /** The other page was heard. */
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
