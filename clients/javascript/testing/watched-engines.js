import { Engine } from "../src/engine.js";

const hour = 3_600_000;

/** Records the engines of this process: the number of their predictions, and their views whenever no action is pending. */
export const engines = {
  /** The newest engine of each client, by the number of hours by which the client's clock is fast. */
  newest: new Map(),
  predictions: 0,
  /** The number of confirmations of predicted actions. */
  confirmations: 0,
  views: [],

  /** Returns the views since the last call. */
  take() {
    return this.views.splice(0);
  },
};

const pending = new WeakMap();

for (const name of ["begin", "predict", "confirm", "adopt"]) {
  const { [name]: call } = Engine.prototype;
  Engine.prototype[name] = function (...given) {
    const made = call.apply(this, given);
    if (name === "begin") pending.set(this, new Set());
    const numbers = pending.get(this) ?? new Set();
    if (name === "predict") {
      numbers.add(given[0]);
      engines.newest.set(Math.round((given[1] - Date.now()) / hour), this);
      if (made.created) engines.predictions += 1;
    }
    if (name === "adopt") end(numbers, given[0]);
    if (name === "confirm") {
      for (const { number, difference } of given[0]) {
        if (difference === undefined) numbers.delete(number);
        else if (end(numbers, number)) engines.confirmations += 1;
      }
    }
    if (numbers.size === 0) engines.views.push(this.view());
    return made;
  };
}

/** Ends the pending actions up to a number. Returns whether the action with this number was pending. */
function end(numbers, last) {
  const isPending = numbers.has(last);
  for (const number of [...numbers]) if (number <= last) numbers.delete(number);
  return isPending;
}
