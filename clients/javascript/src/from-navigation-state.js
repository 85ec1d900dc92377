import { idsOf } from "./snapshots.js";

/**
 * Returns the tree that a state shows. In it, modals are nested in each other, a drawer appears as tabs, and members that a route does not have (content, flow,
 * style, level) are missing.
 */
export function fromNavigationState(state, source) {
  const idOf = idsOf(source);
  const layers = active(state).map((route) => node(route, idOf));
  const [front, ...below] = layers.reverse();
  return below.reduce((modal, layer) => ({ ...layer, presented: modal }), front);
}

function node(route, idOf) {
  const made = { kind: kindOf(route.state), name: route.name };
  if (route.key !== undefined) made.id = idOf(route.key);
  if (route.params !== undefined) made.params = route.params;
  if (route.state === undefined) return made;
  made.children = active(route.state).map((child) => node(child, idOf));
  if (made.kind === "tabs") made.selected = route.state.index ?? 0;
  return made;
}

/** Returns the routes of a state; of a stack only those up to its index. React Navigation 8 keeps the routes after it, which cover nothing. */
function active(state) {
  const isStack = (state.type ?? "stack") === "stack";
  return isStack && state.index !== undefined ? state.routes.slice(0, state.index + 1) : state.routes;
}

function kindOf(state) {
  if (state === undefined) return "screen";
  return (state.type ?? "stack") === "stack" ? "stack" : "tabs";
}
