import { limits } from "../storage/kept.js";

/** The longest time for which the browser's timer is set, in milliseconds. */
const longest = 86_400_000;

/** The time that the service has to perform a tick itself while there is a network, in milliseconds. */
const patience = 2000;

/**
 * Runs the timers that waiting actions have started, and posts their ticks as actions. The engine finds these timers among the waiting actions, so they run
 * again after a reload. A timer that became due in the meantime ticks at once. The service runs all other timers.
 */
export class Ticks {
  #core;
  /** The time at which the browser's timer ends; undefined if none is set. */
  #end;
  #timer;
  /** The tick that was posted last. */
  #posted;

  constructor(/** @type {import("./core.js").SessionCore} */ core) {
    this.#core = core;
  }

  /** Sets the browser's timer for the next tick. It is undefined if no waiting action has started a timer. */
  follow(/** @type {import("../types").Tick | undefined} */ next) {
    // The engine still returns the last posted tick if that tick could not be shown. It is not posted again.
    const end = next === undefined || isSame(next, this.#posted) ? undefined : this.#timeOf(next);
    if (end === this.#end) return;
    this.close();
    if (end === undefined) return;
    const { timers, now } = this.#core.transport.machine;
    this.#end = end;
    this.#timer = timers.set(() => {
      [this.#end, this.#timer] = [undefined, undefined];
      this.#post();
    }, Math.min(Math.max(0, end - now()), longest));
  }

  /** Posts the ticks that are due by now, before another action runs. While a device sleeps, the browser's timers do not end. */
  catchUp() {
    while (this.#end !== undefined && this.#end <= this.#core.transport.machine.now()) {
      this.close();
      this.#post();
    }
  }

  close() {
    if (this.#timer !== undefined) this.#core.transport.machine.timers.clear(this.#timer);
    [this.#end, this.#timer] = [undefined, undefined];
  }

  /** The time at which a tick is posted. With a network it is later, because the service soon runs the timer itself. */
  #timeOf({ due }) {
    return this.#core.connection.isOffline ? due : due + patience;
  }

  #post() {
    const next = this.#core.predictions.nextTick;
    if (next === undefined) return;
    if (this.#timeOf(next) > this.#core.transport.machine.now()) return this.follow(next);
    // Half of the outbox is left to the user's actions. The service runs the timer when it has received the action that started it.
    if (this.#core.outbox.size >= limits.actions / 2) return;
    this.#posted = next;
    const { node, send } = next;
    this.#core.posting.post("/actions", { type: "tick", node, send }, { seen: this.#core.predictions.seen, queue: true }).catch(() => {});
  }
}

function isSame(one, other) {
  return one.node === other?.node && one.send === other.send && one.due === other.due;
}
