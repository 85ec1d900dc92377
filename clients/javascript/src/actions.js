/** The gestures, which act on nodes that the user sees. The value of a gesture is the index of `options` among the arguments of its method. */
export const gestures = { back: 0, pop: 1, popTo: 1, popToRoot: 0, dismiss: 1, select: 1 };

/** Returns whether an action is a gesture. */
export function isGesture(action) {
  return typeof action?.type === "string" && Object.hasOwn(gestures, action.type);
}

/**
 * The methods of a session that post an action, mixed into `Session`. The last argument of each is always the options of the post. Each returns the promise of
 * `this.post`.
 */
export const actions = {
  /**
   * Performs one action, or an array of actions, which is applied as a whole or not at all. A gesture is bound to the node that is visible at the call, unless
   * it has `from`.
   */
  act(action, options) {
    return this.post("/actions", action, options);
  },

  /** Returns the effect that an action would have, without performing it. */
  plan(action, options) {
    return this.post("/actions", action, { ...options, plan: true });
  },

  /** Presses a phone's back button. */
  back(options) {
    return this.act({ type: "back" }, options);
  },

  /** Pops one screen, a number of screens, or a node and all screens above it. */
  pop(what, options) {
    return this.act({ type: "pop", ...(typeof what === "number" ? { count: what } : what ? { node: what } : {}) }, options);
  },

  /** Pops to a screen, given by its name, or to a node: `{ node: "n4" }`. */
  popTo(target, options) {
    return this.act({ type: "popTo", ...(typeof target === "string" ? { screen: target } : target) }, options);
  },

  popToRoot(options) {
    return this.act({ type: "popToRoot" }, options);
  },

  dismiss(node, options) {
    return this.act({ type: "dismiss", ...(node ? { node } : {}) }, options);
  },

  /** Taps a tab, given by its index from 0 or by its flow. */
  select(tab, options) {
    return this.act({ type: "select", ...(typeof tab === "number" ? { tab } : { flow: tab }) }, options);
  },

  login(code, state, options) {
    return this.act({ type: "login", code, ...(state === undefined ? {} : { state }) }, options);
  },

  token(accessToken, options) {
    return this.act({ type: "token", accessToken }, options);
  },

  logout(options) {
    return this.act({ type: "logout" }, options);
  },

  /** Reports the app's state: `background`, `inactive` or `foreground`. */
  appState(state, options) {
    return this.act({ type: "appState", state }, options);
  },

  setFacts(facts, options) {
    return this.act({ type: "facts", set: facts }, options);
  },

  /** Discards a held link, or ends a question. `id` is the id of its element in `pending`. */
  cancel(id, options) {
    return this.act({ type: "cancel", ...(id.startsWith("q") ? { question: id } : { link: id }) }, options);
  },

  /** Reports that this client has sent all actions of its user. A client with an engine does this by itself. */
  contact(options) {
    return this.act({ type: "contact" }, options);
  },

  /** Advances a manual clock by a duration, such as `"1s"`. */
  advance(by, options) {
    return this.act({ type: "advance", by }, options);
  },

  /** Opens a deep link, or the redirect of an OAuth login. */
  open(url, options) {
    return this.act({ type: "open", url: String(url) }, options);
  },

  /**
   * Delivers an APNs payload or an FCM message. `state` is the app's state; with `tap: false` the user does not tap the notification. The button and the reply
   * are in the body, because a query may be logged and its length is limited.
   */
  notify(payload, /** @type {import("./index").NotifyOptions} */ { state, tap, action, reply, ...options } = {}) {
    const given = Object.entries({ state, tap }).filter(([, value]) => value !== undefined);
    const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
    // A payload that is not an object is posted unchanged, because the service refuses it.
    const body = typeof payload === "object" && !Array.isArray(payload) ? { payload, action, reply } : payload;
    return this.post(`/notifications${query === "" ? "" : `?${query}`}`, body, options);
  },
};
