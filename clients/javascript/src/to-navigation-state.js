import { layersOf } from "./routes.js";
import { keysOf, treeOf } from "./snapshots.js";

/**
 * The state of a session, a snapshot or a tree. Partial (`stale: true`), as a container takes it at its start and by `resetRoot`; complete
 * where `routeNames` lists the names of each navigator, by the name of its node, and `root` for the outermost. The keys of routes are those of the
 * session's views.
 */
export function toNavigationState(source, { routeNames } = {}) {
  const given = { routeNames, keyOf: keysOf(source) };
  const routes = layersOf(treeOf(source)).map((layer) => route(layer, given));
  return dressed({ type: "stack", index: routes.length - 1, routes }, "root", "root", routeNames);
}

function route(node, given) {
  const made = { name: node.name };
  if (node.id !== undefined) made.key = given.keyOf(node.id);
  if (node.params !== undefined) made.params = node.params;
  // A navigator without routes gets no state: it starts as it is declared.
  if (node.children?.length > 0) made.state = state(node, given);
  return made;
}

/** A switch shows its one child, a split's detail is over its master: both are stacks where there are no panes. */
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

/** Whether it is a stack's state; otherwise it is that of tabs, or of a drawer. */
export function isStack({ type = "stack" }) {
  return type === "stack";
}

/** As tabs go back by default: to the first one. */
export function tabHistory(routes, index) {
  const visited = index === 0 ? [routes[0]] : [routes[0], routes[index]];
  return visited.map(({ key }) => ({ type: "route", key }));
}
