import { CairnProblem } from "../problem.js";
import { routesOf, speakerOf } from "../routes.js";

/** How long a screen may take until the user sees it, in milliseconds: a frame. */
const frame = 16;

/**
 * The screen that a step without `from` belongs to. Within a frame after an action was shown at once, if it is not answered, it is the one before, so
 * that a double tap does not tap the new screen.
 */
export class Speaker {
  #picture;
  #timers;
  /** The screen that was visible before an action was shown at once: `{ id }`, for the time in which the user cannot have seen another one. */
  #seen;

  constructor(picture, timers) {
    this.#picture = picture;
    this.#timers = timers;
  }

  /** The id of the screen; undefined if two panes are visible, or nothing is. */
  get id() {
    return this.#seen ? this.#seen.id : speakerOf(this.#picture.now.tree);
  }

  /** The user still sees the screen with this id, which was visible before an action was shown. */
  keep(id) {
    if (this.#seen || id === speakerOf(this.#picture.now.tree)) return;
    this.#seen = { id };
    this.#timers.set(() => this.release(), frame);
  }

  /** The user sees what is shown. */
  release() {
    this.#seen = undefined;
  }

  /** The problem of a step whose screen was only predicted and did not come; undefined: the post can be sent. */
  refusal({ speaker }) {
    const isThere = speaker === undefined || routesOf(this.#picture.confirmed.tree).some(({ id, screen }) => id === speaker.id && screen === speaker.screen);
    if (isThere) return undefined;
    return new CairnProblem({ code: "dismissed", detail: `the screen ${speaker.screen}, to which this step belongs, was predicted and did not come` });
  }
}
