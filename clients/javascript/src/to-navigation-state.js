import { coversOf } from "./routes.js";
import { keysOf, treeOf } from "./snapshots.js";

/** @param {import("./types").Node | { tree: import("./types").Node }} source @param {{ routeNames?: { [name: string]: string[] } }} options */
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

/** Returns a node's state. A switch shows its only child, and a split shows its detail over its master: both become stacks, which have no panes. */
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

/** Returns whether a state belongs to a stack; otherwise it belongs to tabs or a drawer. */
export function isStack({ type = "stack" }) {
  return type === "stack";
}

/** Returns the history of tabs whose Back selects the first tab, as is the default. */
export function tabHistory(routes, index) {
  const visited = index === 0 ? [routes[0]] : [routes[0], routes[index]];
  return visited.map(({ key }) => ({ type: "route", key }));
}
