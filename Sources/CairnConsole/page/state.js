// The state of the page, in memory and gone with the page, except for the secrets of sessions: those are in the tab's sessionStorage too, so that a
// reload keeps the session. An operator's key is never stored.

const STORED = "cairn.secrets"

/** Secrets of sessions by their ids, kept over a reload of this tab. */
class Secrets extends Map {
  constructor() {
    super()
    for (const [id, secret] of stored()) super.set(id, secret)
  }

  set(id, secret) {
    super.set(id, secret)
    this.#store()
    return this
  }

  delete(id) {
    const wasThere = super.delete(id)
    this.#store()
    return wasThere
  }

  /** A browser that allows no storage keeps them until the reload. */
  #store() {
    try {
      sessionStorage.setItem(STORED, JSON.stringify([...this]))
    } catch {
      return
    }
  }
}

function stored() {
  try {
    const entries = JSON.parse(sessionStorage.getItem(STORED) ?? "[]")
    return Array.isArray(entries) ? entries.filter((each) => Array.isArray(each) && each.every((text) => typeof text === "string")) : []
  } catch {
    return []
  }
}

export const state = {
  /** The operator's key; empty: none. */
  key: "",
  secrets: new Secrets(),
  /** The outcomes of cold starts, by the ids of the sessions that were started here. */
  opened: new Map(),
  /** The responses of GET /v1/apps/{app}, by the hashes of the definitions. */
  apps: new Map(),
  /** The session that is looked at: its id, and what the service said of it last. */
  id: "",
  session: null,
  /** The previous state of the session, for the list of changes. */
  before: null,
  /** The past revision that is shown instead of the current one: its session, and the revision before it. */
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

/** The session's credential: its secret if it is known, otherwise the operator's key. */
export function credential(id) {
  return state.secrets.get(id) || state.key
}
