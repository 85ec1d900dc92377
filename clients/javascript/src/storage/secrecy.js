/** The actions without a value of their own: gestures, and what says how the app or a link is. */
const plain = new Set(["back", "pop", "popTo", "popToRoot", "dismiss", "select", "cancel", "appState", "advance", "facts", "logout"]);
const primitives = new Set(["push", "present", "set", "remove"]);

/**
 * Whether an action may be written to a disk: it has no token, no code and no secret param. Without a definition nothing is known about params, so that
 * only actions without params may be.
 */
export function mayBeStored(action, definition) {
  if (action === null || typeof action !== "object" || Array.isArray(action)) return false;
  if (typeof action.step === "string") return isOpen(action.params, definition?.steps?.[action.step]?.params);
  if (plain.has(action.type)) return true;
  return primitives.has(action.type) && definition !== undefined && haveNoSecret(action, definition);
}

function isOpen(params, declared) {
  const names = Object.keys(params ?? {});
  return names.every((name) => declared?.[name] !== undefined && declared[name].secret !== true);
}

/** A primitive may name screens anywhere in it, so a param is refused if any screen of the app has a secret one with its name. */
function haveNoSecret(value, definition) {
  const secret = new Set(Object.values(definition.screens ?? {}).flatMap(({ params = {} }) => Object.keys(params).filter((name) => params[name].secret)));
  const isFine = (part) => part === null || typeof part !== "object"
    || Object.entries(part).every(([name, inner]) => !secret.has(name) && isFine(inner));
  return isFine(value);
}
