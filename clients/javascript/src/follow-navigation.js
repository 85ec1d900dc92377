import { CairnProblem } from "./problem.js";
import { fromNavigationState } from "./from-navigation-state.js";
import { gesturesOf } from "./gestures.js";
import { navigationActionBetween } from "./navigation-action.js";
import { toNavigationState } from "./to-navigation-state.js";

export function followNavigation(session, ref, { onProblem = () => {} } = {}) {
  const following = new Following(session, ref, onProblem);
  return () => following.stop();
}

class Following {
  #session;
  #ref;
  #onProblem;
  /** The functions that remove the listeners. */
  #leaves;
  /** The tree that the container was last set to. */
  #tree;
  /** The same tree as a navigation state. It also has the states of navigators that are not mounted, which the container does not report. */
  #given;
  /** The container's last handled state. It differs from #tree only by gestures that were posted. */
  #known;
  /** Whether the whole container was reset, and has not reported its new state yet. */
  #isReset = false;
  /** The gestures that were posted, and are neither answered nor shown by the session. The container shows these before the session does. */
  #posting = new Set();

  constructor(session, ref, onProblem) {
    this.#session = session;
    this.#ref = ref;
    this.#onProblem = onProblem;
    // The container started with this state, or is about to be set to it.
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

  get #isStopped() { return this.#leaves.length === 0; }

  /** The action that the container still has to perform; undefined if it shows the session's tree. */
  get #missing() { return navigationActionBetween(filled(this.#ref.getRootState(), this.#given), this.#session); }

  /** Posts the gestures in the container. Sets the container to the session's tree once the session shows these gestures, or they are answered. */
  #bring() {
    if (!this.#ref.isReady()) return;
    this.#look();
    const action = this.#missing;
    // The session shows all gestures. In a page that does not lead, the session shows them only after the call of `act`.
    if (action === undefined && this.#session.tree !== this.#tree) this.#posting.clear();
    if (this.#posting.size > 0) return;
    this.#tree = this.#session.tree;
    if (action !== undefined) this.#ref.dispatch(action);
    this.#given = toNavigationState(this.#session);
    this.#known = this.#ref.getRootState();
    if (action !== undefined && this.#missing !== undefined) this.#reset();
  }

  /** Resets the container to the whole state after an action without the expected effect. The container omits routes that it cannot show. */
  #reset() {
    this.#isReset = true;
    this.#ref.resetRoot(this.#given);
  }

  /**
   * Handles a new state of the container, which a gesture of the user or a call of this class has caused. If a reset did not show the tree, reports
   * `not-shown`.
   */
  #hear() {
    if (!this.#isReset) return this.#bring();
    this.#isReset = false;
    this.#known = this.#ref.getRootState();
    if (this.#missing !== undefined) this.#onProblem(new CairnProblem({ code: "not-shown", detail: notShown }));
  }

  /** Posts the gestures since the last handled state. All other changes are undone when the container is set to the session's tree. */
  #look() {
    const [before, now] = [this.#known, this.#ref.getRootState()];
    this.#known = now;
    if (before === undefined) return;
    // A navigator that has been mounted since then has received no gesture.
    const gestures = gesturesOf(fromNavigationState(filled(before, now), this.#session), fromNavigationState(now, this.#session));
    if (gestures?.length > 0) this.#post(gestures);
  }

  async #post(gestures) {
    const { tree } = this.#session;
    this.#posting.add(gestures);
    try {
      const answered = this.#session.act(gestures.length === 1 ? gestures[0] : gestures);
      // If the tree has changed, an engine has already shown the gestures. Without a network, the response arrives much later.
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

/** Returns the state, completed with the states of unmounted navigators from another state. */
function filled(state, other) {
  if (state === undefined || other === undefined) return state ?? other;
  const routes = state.routes.map((route) => {
    const inner = filled(route.state, other.routes.find(({ key }) => key === route.key)?.state);
    return inner === route.state ? route : { ...route, state: inner };
  });
  return { ...state, routes };
}
