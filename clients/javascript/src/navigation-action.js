import { sorted } from "./sorted.js";
import { isStack, tabHistory, toNavigationState } from "./to-navigation-state.js";

/** Stands for a change that no action of a navigator makes. The navigator, or the navigator that contains it, is then reset. */
const needsReset = Symbol("needs reset");

/**
 * Returns React Navigation's action that brings a container from this state (the result of `ref.getRootState()`) to the session's tree; undefined if the
 * container shows the tree. It is always a single action, so that no state between two trees is drawn, or mistaken for a gesture.
 *
 * - Routes removed from the top of a stack: StackActions.pop with their number. It has the effect of popTo and popToTop, but does not search by name, which
 *   would find the wrong route if two routes have the same name.
 * - Another tab: TabActions.jumpTo. It contains the tab's params, because the action without params would remove them.
 * - Other params of a route: CommonActions.setParams.
 * - Other changes: CommonActions.reset of the smallest navigator in which they happened. StackActions.push and replace of version 7 invent the key of the new
 *   route, but its key has to be that of the node, because gestures are posted with it. In the reset state all other routes have their keys, and their
 *   navigators have their present states, so that nothing is mounted again. Navigators animate by comparing routes: a route that is added by a reset slides in
 *   as a pushed one does.
 */
export function navigationActionBetween(state, source) {
  if (state?.stale !== false) throw new TypeError("`state` is not complete: give `ref.getRootState()`, once the container is ready");
  return actionIn(state, toNavigationState(source));
}

function actionIn(navigator, wanted) {
  // A flow without children has no state: its navigator starts as it is declared.
  if (wanted === undefined) return undefined;
  if (navigator === undefined) return needsReset;
  const [change, ...more] = changesIn(navigator, wanted);
  if (change === undefined) return undefined;
  // An unmounted navigator receives no action, so the navigator that contains it is reset with this state.
  if (navigator.stale !== false) return needsReset;
  if (change !== needsReset && more.length === 0) return change;
  return { type: "RESET", payload: merged(navigator, wanted), target: navigator.key };
}

function changesIn(navigator, wanted) {
  if (isStack(navigator) !== isStack(wanted)) return [needsReset];
  const own = isStack(navigator) ? changeOfStack(navigator, wanted) : changeOfTabs(navigator, wanted);
  const inner = wanted.routes.flatMap((next) => {
    const route = keptIn(navigator, next);
    return route === undefined ? [] : [changeOfParams(route, next, navigator), actionIn(route.state, next.state)];
  });
  return [own, ...inner].filter((change) => change !== undefined);
}

function changeOfStack({ key, routes }, wanted) {
  const kept = wanted.routes.length;
  if (kept > routes.length || !wanted.routes.every((next, index) => isSameRoute(routes[index], next))) return needsReset;
  // The source is the route that is on top now: if the user swipes it away first, nothing else is popped.
  return kept === routes.length ? undefined : { type: "POP", payload: { count: routes.length - kept }, source: routes.at(-1).key, target: key };
}

function changeOfTabs({ key, routes, index }, wanted) {
  if (wanted.routes.length !== routes.length || !wanted.routes.every((next, place) => isSameRoute(routes[place], next))) return needsReset;
  const { name, params } = wanted.routes[wanted.index];
  return index === wanted.index ? undefined : { type: "JUMP_TO", payload: params === undefined ? { name } : { name, params }, target: key };
}

function changeOfParams({ key, params }, next, navigator) {
  if (isSame(params, next.params)) return undefined;
  // setParams adds params to those of the route, and removes none.
  const isMore = Object.keys(params ?? {}).every((name) => name in (next.params ?? {}));
  return isMore ? { type: "SET_PARAMS", payload: { params: next.params }, source: key, target: navigator.key } : needsReset;
}

/** Returns the wanted state, in which routes and complete states of mounted navigators are replaced by those that the container already has. */
function merged(navigator, wanted) {
  if (navigator?.stale !== false || isStack(navigator) !== isStack(wanted)) return wanted;
  if (changesIn(navigator, wanted).length === 0) return navigator;
  const { index } = wanted;
  const routes = wanted.routes.map((next) => mergedRoute(keptIn(navigator, next), next));
  return { ...navigator, index, routes, ...(isStack(navigator) ? {} : { history: tabHistory(routes, index) }) };
}

function mergedRoute(route, next) {
  if (route === undefined) return next;
  const state = next.state === undefined ? route.state : merged(route.state, next.state);
  if (state === route.state && isSame(route.params, next.params)) return route;
  const { params, state: _, ...rest } = route;
  return { ...rest, ...(next.params === undefined ? {} : { params: next.params }), ...(state === undefined ? {} : { state }) };
}

function keptIn(navigator, next) {
  return navigator.routes.find((route) => isSameRoute(route, next));
}

function isSameRoute(route, next) {
  return route.key === next.key && route.name === next.name;
}

function isSame(one, other) {
  return sorted(one) === sorted(other);
}
