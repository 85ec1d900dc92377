import { isGesture } from "../actions.js";
import { Predictions } from "../predictions.js";
import { pathToFront, speakerOf } from "../routes.js";

/** The predictions that the service makes for a client without an engine. The first waiting post is shown before it is answered. */
export class ServicePredictions {
  #picture;
  #isWanted;
  #predictions = new Predictions();
  /** The post that is shown before it is answered. */
  #post;

  /** @param {boolean} isWanted whether the service is asked for predictions */
  constructor(picture, isWanted) {
    this.#picture = picture;
    this.#isWanted = isWanted;
  }

  /** The headers of a read whose response contains predictions. */
  get headers() {
    return this.#isWanted ? { Prefer: "predict" } : {};
  }

  /** Stores the predictions of a session, an answer or an event, if it contains predictions. */
  note(body) {
    if (this.#isWanted) this.#predictions.note(body);
  }

  /** Stores the requested predictions, one per action, in the order of the actions. */
  add(revision, actions, predictions) {
    if (this.#isWanted) this.#predictions.add(revision, actions, predictions);
  }

  /** Shows the effect of an action, if the effect is known, until the action is answered or another change happens. */
  turn(post) {
    if (!this.#isWanted) return;
    const { from, ...action } = post.body;
    const { tree } = this.#picture.now;
    const isOfVisible = from === undefined || (isGesture(action) ? pathToFront(tree).some(({ id }) => id === from) : from === speakerOf(tree));
    const changes = isOfVisible ? this.#predictions.changes(action, this.#picture.now.revision) : undefined;
    this.#show(changes && post, changes);
  }

  /** Hides the shown post if it is no longer `first`, the first waiting post, because it may have been answered. */
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
