import { CairnProblem } from "./problem.js";
import { fromNavigationState } from "./from-navigation-state.js";
import { gesturesOf } from "./gestures.js";
import { navigationActionBetween } from "./navigation-action.js";
import { toNavigationState } from "./to-navigation-state.js";

/**
 * Keeps a container and a session at the same tree until the returned function is called. A change of the session is one action for the
 * container, and a gesture in the container is posted. `ref` is that of `createNavigationContainerRef()`. `onProblem` gets the refusal of a
 * gesture, which is undone in the container, and `not-shown` if the container cannot show the tree.
 */
export function followNavigation(session, ref, { onProblem = () => {} } = {}) {
  const following = new Following(session, ref, onProblem);
  return () => following.stop();
}

class Following {
  #session;
  #ref;
  #onProblem;
  /** What undoes each subscription. */
  #leaves;
  /** The tree that the container was brought to. */
  #tree;
  /** The same as a state. A container does not tell the states of navigators that it has not mounted: they are as they were given. */
  #given;
  /** The container's state, of which every difference to #tree is known: nothing, or a gesture that was posted. */
  #known;
  /** Whether the whole container was reset, and has not told the state that came of it. */
  #isReset = false;
  /** The gestures that are posted, and neither answered nor shown by the session: the container is ahead of it by them. */
  #posting = new Set();

  constructor(session, ref, onProblem) {
    this.#session = session;
    this.#ref = ref;
    this.#onProblem = onProblem;
    // The container began with this state, or is brought to it.
    this.#given = toNavigationState(session);
    this.#leaves = [
      session.subscribe(() => session.tree !== this.#tree && this.#bring()),
      ref.addListener("state", () => this.#hear()),
      ref.addListener("ready", () => this.#bring()),
    ];
    this.#bring();
  }

  stop() {
    for (const leave of this.#leaves.splice(0)) leave();
  }

  get #isStopped() {
    return this.#leaves.length === 0;
  }

  /** The container's action that is left to do; undefined: it shows the session's tree. */
  get #missing() {
    return navigationActionBetween(filled(this.#ref.getRootState(), this.#given), this.#session);
  }

  /** Brings the container to the session's tree. Gestures that it has not reported yet are posted first, and awaited until the session shows them or they are answered. */
  #bring() {
    if (!this.#ref.isReady()) return;
    this.#look();
    const action = this.#missing;
    // The session shows all gestures, which in a page that follows another one is later than the call.
    if (action === undefined && this.#session.tree !== this.#tree) this.#posting.clear();
    if (this.#posting.size > 0) return;
    this.#tree = this.#session.tree;
    if (action !== undefined) this.#ref.dispatch(action);
    this.#given = toNavigationState(this.#session);
    this.#known = this.#ref.getRootState();
    if (action !== undefined && this.#missing !== undefined) this.#reset();
  }

  /** The container did not do as expected: it gets the whole state, of which it leaves out what it cannot show. */
  #reset() {
    this.#isReset = true;
    this.#ref.resetRoot(this.#given);
  }

  /** The container has another state: of its own, or because it was brought there. */
  #hear() {
    if (!this.#isReset) return this.#bring();
    this.#isReset = false;
    this.#known = this.#ref.getRootState();
    if (this.#missing !== undefined) this.#onProblem(new CairnProblem({ code: "not-shown", detail: notShown }));
  }

  /** Posts the gestures since the known state. All other changes are undone when the container is brought to the session's tree. */
  #look() {
    const [before, now] = [this.#known, this.#ref.getRootState()];
    this.#known = now;
    if (before === undefined) return;
    // A navigator that has been mounted since then: no gesture was made in it.
    const gestures = gesturesOf(fromNavigationState(filled(before, now), this.#session), fromNavigationState(now, this.#session));
    if (gestures?.length > 0) this.#post(gestures);
  }

  async #post(gestures) {
    const { tree } = this.#session;
    this.#posting.add(gestures);
    try {
      const answered = this.#session.act(gestures.length === 1 ? gestures[0] : gestures);
      // An engine has run it. Without a network the answer comes much later.
      if (this.#session.tree !== tree) this.#posting.delete(gestures);
      await answered;
    } catch (problem) {
      this.#onProblem(problem);
    }
    this.#posting.delete(gestures);
    if (!this.#isStopped) this.#bring();
  }
}

const notShown = "the container does not show the session's tree: each flow must be a navigator with all of its screens, and tabs as they are defined";

/** The state, with those of navigators that are not mounted from another state. */
function filled(state, other) {
  if (state === undefined || other === undefined) return state ?? other;
  const routes = state.routes.map((route) => {
    const inner = filled(route.state, other.routes.find(({ key }) => key === route.key)?.state);
    return inner === route.state ? route : { ...route, state: inner };
  });
  return { ...state, routes };
}
