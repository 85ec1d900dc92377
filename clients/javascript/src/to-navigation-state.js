import { coversOf } from "./routes.js";
import { keysOf, treeOf } from "./snapshots.js";

/**
 * Returns the state of a session, a snapshot or a tree. It is partial (`stale: true`), as a container accepts it at its start and in `resetRoot`; with
 * `routeNames` it is complete. `routeNames` lists the names of each navigator, by the name of its node, and `root` for the outermost. The keys of routes are
 * those of the session's views.
 */
export function toNavigationState(source, { routeNames } = {}) {
  const given = { routeNames, keyOf: keysOf(source) };
  const routes = coversOf(treeOf(source)).map((layer) => route(layer, given));
  return dressed({ type: "stack", index: routes.length - 1, routes }, "root", "root", routeNames);
}

function route(node, given) {
  const made = { name: node.name };
  if (node.id !== undefined) made.key = given.keyOf(node.id);
  if (node.params !== undefined) made.params = node.params;
  // A navigator without routes has no state: it starts as it is declared.
  if (node.children?.length > 0) made.state = state(node, given);
  return made;
}

/** Returns a node's state. A switch shows its only child, and a split's detail is over its master: both become stacks, which have no panes. */
function state(node, given) {
  const routes = node.children.map((child) => route(child, given));
  const isTabs = node.kind === "tabs";
  const index = isTabs ? (node.selected ?? 0) : routes.length - 1;
  return dressed({ type: isTabs ? "tab" : "stack", index, routes }, node.name, given.keyOf(node.id), given.routeNames);
}

function dressed(partial, name, key, routeNames) {
  const names = routeNames?.[name];
  if (names === undefined) return { stale: true, ...partial };
  const { type, index, routes } = partial;
  const rest = type === "tab" ? { history: tabHistory(routes, index), preloadedRouteKeys: [] } : { preloadedRoutes: [] };
  return { stale: false, key: `${type}-${key}`, routeNames: names, ...partial, ...rest };
}

/** Returns whether a state is a stack's; otherwise it is that of tabs or of a drawer. */
export function isStack({ type = "stack" }) {
  return type === "stack";
}

/** Returns the history of tabs whose Back selects the first tab, as is the default. */
export function tabHistory(routes, index) {
  const visited = index === 0 ? [routes[0]] : [routes[0], routes[index]];
  return visited.map(({ key }) => ({ type: "route", key }));
}
