import { sorted } from "./sorted.js";

/** The service's predictions of actions, for the newest revision for which the service sent predictions. */
export class Predictions {
  #revision = 0;
  #changes = new Map();

  /** Stores the predictions of a session, an answer or an event. Does nothing if it contains no predictions. */
  note({ revision, predictions }) {
    if (!(revision >= this.#revision) || predictions === undefined) return;
    this.add(revision, predictions.map(({ action }) => action), predictions);
  }

  /** Stores one prediction per action, in the order of the actions. */
  add(revision, actions, predictions) {
    if (revision < this.#revision) return;
    if (revision > this.#revision) this.#changes.clear();
    this.#revision = revision;
    for (const [index, { changes }] of predictions.entries()) {
      if (changes !== undefined) this.#changes.set(sorted(actions[index]), changes);
    }
  }

  /** Returns the changes of an action that is posted at this revision; undefined if there is no prediction of them. */
  changes(action, revision) {
    return revision === this.#revision ? this.#changes.get(sorted(action)) : undefined;
  }
}
