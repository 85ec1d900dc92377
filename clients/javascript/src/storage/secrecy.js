/** The actions that are known to have neither a token nor a code nor params. */
const plain = new Set(["back", "pop", "popTo", "popToRoot", "dismiss", "select", "cancel", "appState", "advance", "facts", "logout", "tick"]);
const primitives = new Set(["push", "present", "set", "remove"]);
/** The actions with a token or a code. */
const credentials = new Set(["login", "token"]);

/**
 * Returns whether an action has a token, a code or a secret param, so that it must neither wait for the network nor be stored. A sealed value is no secret.
 * Without a definition, it is unknown which params are secret, and no param counts as secret.
 */
export function hasSecret(action, definition) {
  return secrecyOf(action, definition) === "secret";
}

/** Returns whether an action may be written to a disk, because it is known to have no secret. */
export function mayBeStored(action, definition) {
  return secrecyOf(action, definition) === "open";
}

/** Returns `secret`, `open` or `unknown`. */
function secrecyOf(action, definition) {
  // An array is posted whole, and is not stored.
  if (Array.isArray(action)) return action.some((one) => hasSecret(one, definition)) ? "secret" : "unknown";
  if (action === null || typeof action !== "object") return "unknown";
  if (typeof action.step === "string") return ofParams(action.params, definition?.steps?.[action.step]?.params);
  if (credentials.has(action.type)) return "secret";
  if (plain.has(action.type)) return "open";
  if (action.type === "open") return ofURL(action.url, definition);
  return primitives.has(action.type) && definition !== undefined ? ofPrimitive(action, definition) : "unknown";
}

/** Returns the names of an action's secret params whose texts are not sealed; an empty list for an action that is not a step. */
export function secretParams(action, definition) {
  const declared = typeof action?.step === "string" ? definition.steps?.[action.step]?.params ?? {} : {};
  return Object.keys(action?.params ?? {}).filter((name) => declared[name]?.secret === true && typeof action.params[name] === "string");
}

function ofParams(params = {}, declared = {}) {
  const names = Object.keys(params).filter((name) => params[name] !== undefined);
  if (names.some((name) => declared[name]?.secret === true && !isSealed(params[name]))) return "secret";
  return names.every((name) => declared[name] !== undefined) ? "open" : "unknown";
}

/** Returns whether a value is sealed, so that only the service can open it. */
function isSealed(value) {
  return typeof value?.sealed === "string" && typeof value.key === "string" && Object.keys(value).length === 2;
}

/** A URL counts as secret if it may have the code of a login, or if a link of the app has a secret. */
function ofURL(url, definition) {
  if (/[?&#]code=/.test(url)) return "secret";
  if (definition === undefined) return "unknown";
  const hasSecret = ({ step }) => Object.values(definition.steps?.[step]?.params ?? {}).some(({ secret }) => secret === true);
  return (definition.links ?? []).some(({ steps = [] }) => steps.some(hasSecret)) ? "secret" : "open";
}

/** A primitive may name screens anywhere, so a param counts as secret if any screen of the app has a secret param with its name. */
function ofPrimitive(action, { screens = {} }) {
  const secret = new Set(Object.values(screens).flatMap(({ params = {} }) => Object.keys(params).filter((name) => params[name].secret)));
  const isOpen = (part) => part === null || typeof part !== "object"
    || Object.entries(part).every(([name, inner]) => !secret.has(name) && isOpen(inner));
  return isOpen(action) ? "open" : "secret";
}
