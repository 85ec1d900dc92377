/** Completes a partial state like a container of React Navigation 7. Tests compare the results with React Navigation's own cases. */
export function rehydrated(state, { type, routeNames, routeParamList = {}, options = {} }) {
  if (state.stale === false) return state;
  return type === "tab" ? tabs(state, routeNames, routeParamList, options) : stack(state, routeNames, routeParamList, options);
}

function stack(state, routeNames, params, { initialRouteName = routeNames[0] }) {
  const known = (routes) => (routes ?? []).filter(({ name }) => routeNames.includes(name)).map((route) => dressed(route, params));
  const routes = known(state.routes);
  if (routes.length === 0) routes.push(dressed({ name: initialRouteName }, params));
  return {
    stale: false, type: "stack", key: "stack-test", index: routes.length - 1, routeNames, routes, preloadedRoutes: known(state.preloadedRoutes),
  };
}

function tabs(state, routeNames, params, { backBehavior = "firstRoute" }) {
  const saved = (name) => state.routes.find((route) => route.name === name);
  const routes = routeNames.map((name) => dressed(saved(name) ?? { name }, params));
  const index = Math.max(0, routeNames.indexOf(state.routes[state.index ?? 0]?.name));
  const visited = backBehavior === "firstRoute" && index > 0 ? [routes[0], routes[index]] : [routes[index]];
  return {
    stale: false, type: "tab", key: "tab-test", index, routeNames, routes, preloadedRouteKeys: [],
    history: visited.map(({ key }) => ({ type: "route", key })),
  };
}

function dressed(route, params) {
  const given = params[route.name] || route.params ? { params: { ...params[route.name], ...route.params } } : {};
  return { ...route, key: route.key ?? `${route.name}-test`, ...given };
}
