/** The gestures, each with the place of the options among its arguments. They act on what the user sees. */
export const gestures = { back: 0, pop: 1, popTo: 1, popToRoot: 0, dismiss: 1, select: 1 };

/** Whether an action is a gesture. */
export function isGesture(action) {
  return typeof action?.type === "string" && Object.hasOwn(gestures, action.type);
}

/** The actions of a session, each a function for one body of the API. The last argument is always the options of the post. */
export const actions = {
  /** One action, or an array that is applied whole or not at all. A gesture is bound to what is visible at the call, unless it has `from`. */
  act(action, options) {
    return this.post("/actions", action, options);
  },

  /** Returns what an action would do, without performing it. */
  plan(action, options) {
    return this.post("/actions", action, { ...options, plan: true });
  },

  /** A phone's back button. */
  back(options) {
    return this.act({ type: "back" }, options);
  },

  /** One screen, a count of them, or a node and all above it. */
  pop(what, options) {
    return this.act({ type: "pop", ...(typeof what === "number" ? { count: what } : what ? { node: what } : {}) }, options);
  },

  /** Back to a screen by its name, or to a node: `{ node: "n4" }`. */
  popTo(target, options) {
    return this.act({ type: "popTo", ...(typeof target === "string" ? { screen: target } : target) }, options);
  },

  popToRoot(options) {
    return this.act({ type: "popToRoot" }, options);
  },

  dismiss(node, options) {
    return this.act({ type: "dismiss", ...(node ? { node } : {}) }, options);
  },

  /** A tap on a tab: its place from 0, or its flow. */
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

  /** `background`, `inactive` or `foreground`. */
  appState(state, options) {
    return this.act({ type: "appState", state }, options);
  },

  setFacts(facts, options) {
    return this.act({ type: "facts", set: facts }, options);
  },

  /** Lets a link go that is held. */
  cancel(link, options) {
    return this.act({ type: "cancel", link }, options);
  },

  /** A manual clock goes on: `"1s"`. */
  advance(by, options) {
    return this.act({ type: "advance", by }, options);
  },

  /** A deep link, or the OAuth redirect. */
  open(url, options) {
    return this.post("/open", { url: String(url) }, options);
  },

  /**
   * An APNs payload or an FCM message; `state` is where the app is, `tap` false: it only arrives. The button and the reply are in the body, because
   * a query may be logged, and its length is bounded.
   */
  notify(payload, { state, tap, action, reply, ...options } = {}) {
    const given = Object.entries({ state, tap }).filter(([, value]) => value !== undefined);
    const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
    // The service refuses a payload that is not an object.
    const body = typeof payload === "object" && !Array.isArray(payload) ? { payload, action, reply } : payload;
    return this.post(`/notifications${query === "" ? "" : `?${query}`}`, body, options);
  },
};
