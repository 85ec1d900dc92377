// The state of the page. It is in memory and lost when the page is closed. The secrets of sessions are also in the tab's sessionStorage, so that a reload keeps
// them. An operator's key is never stored.

const STORED = "cairn.secrets";

/** The secrets of sessions by id, kept across a reload of this tab. */
class Secrets extends Map {
  constructor() {
    super();
    for (const [id, secret] of stored()) super.set(id, secret);
  }

  set(id, secret) {
    super.set(id, secret);
    this.#store();
    return this;
  }

  delete(id) {
    const wasThere = super.delete(id);
    this.#store();
    return wasThere;
  }

  /** Writes the secrets to sessionStorage. If the browser allows no storage, they are lost at a reload. */
  #store() {
    try {
      sessionStorage.setItem(STORED, JSON.stringify([...this]));
    } catch {
      return;
    }
  }
}

function stored() {
  try {
    const entries = JSON.parse(sessionStorage.getItem(STORED) ?? "[]");
    return Array.isArray(entries) ? entries.filter((each) => Array.isArray(each) && each.every((text) => typeof text === "string")) : [];
  } catch {
    return [];
  }
}

export const state = {
  /** The operator's key; empty if none was entered. */
  key: "",
  secrets: new Secrets(),
  /** The outcomes of cold starts, by the id of the session that was started here. */
  opened: new Map(),
  /** Responses of GET /v1/apps/{app}, by the definition's hash. */
  apps: new Map(),
  /** The id of the shown session, and its last response from the service. */
  id: "",
  session: null,
  /** The previous state of the session, from which the list of changes is computed. */
  before: null,
  /** A past revision that is shown instead of the current one: the session at this revision, and at the one before it. */
  past: null,
};

const listeners = new Map();

/** Registers `then`, which is called with the value of each change of a topic. */
export function on(topic, then) {
  listeners.set(topic, [...(listeners.get(topic) ?? []), then]);
}

/** Notifies the listeners of a topic. */
export function changed(topic, value) {
  for (const then of listeners.get(topic) ?? []) then(value);
}

/** The shown state of the session: a past revision's or the current one. */
export function looked() {
  return state.past?.session ?? state.session;
}

/** The session's credential: its secret if it is known, otherwise the operator's key. */
export function credential(id) {
  return state.secrets.get(id) || state.key;
}
