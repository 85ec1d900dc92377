import { isGesture } from "../actions.js";
import { pathToFront, speakerOf } from "../routes.js";
import { sorted } from "../sorted.js";

/** The predictions that the service makes for a client without an engine. The first waiting post is shown before it is answered. */
export class ServicePredictions {
  #picture;
  #isWanted;
  /** The newest revision for which the service sent predictions. `#changes` has the predicted changes, by the text of the action. */
  #revision = 0;
  #changes = new Map();
  /** The post whose effect is shown before the post is answered. */
  #post;

  /** @param {boolean} isWanted whether the service is asked for predictions */
  constructor(picture, isWanted) {
    this.#picture = picture;
    this.#isWanted = isWanted;
  }

  /** The headers of a read whose response contains predictions. */
  get headers() { return this.#isWanted ? { Prefer: "predict" } : {}; }

  /** Stores the predictions of a session, an answer or an event, if it contains predictions. */
  note(/** @type {{ revision?: number, predictions?: import("../types").Prediction[] }} */ { revision, predictions }) {
    if (predictions !== undefined) this.add(revision, predictions.map(({ action }) => action), predictions);
  }

  /** Stores one prediction per action, in the order of the actions. */
  add(revision, actions, predictions) {
    if (!this.#isWanted || !(revision >= this.#revision)) return;
    if (revision > this.#revision) this.#changes.clear();
    this.#revision = revision;
    for (const [index, { changes }] of predictions.entries()) {
      if (changes !== undefined) this.#changes.set(sorted(actions[index]), changes);
    }
  }

  /** Shows the effect of an action, if the effect is known, until the action is answered or another change happens. */
  turn(post) {
    if (!this.#isWanted) return;
    const { from, ...action } = post.body;
    const { tree, revision } = this.#picture.now;
    const isOfVisible = from === undefined || (isGesture(action) ? pathToFront(tree).some(({ id }) => id === from) : from === speakerOf(tree));
    const changes = isOfVisible && revision === this.#revision ? this.#changes.get(sorted(action)) : undefined;
    this.#show(changes && post, changes);
  }

  /** Hides the effect of the shown post if that post is no longer `first`, the first waiting post, because it may have been answered. */
  settle(first) {
    if (this.#post !== first) this.#show(undefined);
  }

  /** Shows the confirmed session, unless a post is shown. */
  show() {
    if (this.#post === undefined) this.#picture.show(undefined);
  }

  #show(post, changes) {
    this.#post = post;
    this.#picture.predict(changes);
  }
}
