// What the page knows. All of it is in memory, and gone when the page is: keys and secrets are written nowhere.

export const state = {
  /** The operator's key; empty: none. */
  key: "",
  /** Secrets of sessions by their ids. */
  secrets: new Map(),
  /** What the link or notification of a cold start did, by the ids of sessions that were started here. */
  opened: new Map(),
  /** What GET /v1/apps/{app} said of apps, by the hashes of their definitions. */
  apps: new Map(),
  /** The session that is looked at: its id, and what the service said of it last. */
  id: "",
  session: null,
  /** What it was before that, for what changed. */
  before: null,
  /** A revision that is looked at in the place of the newest: its session, and the one before it. */
  past: null,
}

const listeners = new Map()

/** Calls `then` when something of this name has changed. */
export function on(topic, then) {
  listeners.set(topic, [...(listeners.get(topic) ?? []), then])
}

/** Something of this name has changed. */
export function changed(topic, value) {
  for (const then of listeners.get(topic) ?? []) then(value)
}

/** The session as it is looked at now. */
export function looked() {
  return state.past?.session ?? state.session
}

/** What opens a session: its secret if it is known, else the operator's key. */
export function credential(id) {
  return state.secrets.get(id) || state.key
}
