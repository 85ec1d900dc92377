/**
 * Returns the complete or partial state of a navigator of React Navigation 7 after an action, or null if the navigator does not handle the action. Only
 * the actions that the client or a test dispatches are supported. Tests compare the results with React Navigation's own cases.
 */
export function answered(state, action, { routeParamList = {} } = {}) {
  const made = (name, params) => (routeParamList[name] || params ? { params: { ...routeParamList[name], ...params } } : {});
  const answer = { ...common, ...(state.type === "tab" ? ofTabs : ofStacks) }[action.type];
  return answer?.(state, action.payload, { made, source: action.source, isTarget: action.target === state.key }) ?? null;
}

const common = {
  SET_PARAMS(state, { params }, { source }) {
    const index = source ? state.routes.findIndex(({ key }) => key === source) : state.index;
    if (index < 0) return null;
    return { ...state, routes: state.routes.map((route, place) => (place === index ? { ...route, params: { ...route.params, ...params } } : route)) };
  },
  RESET(state, next) {
    const isKnown = (name) => state.routeNames.includes(name);
    if (next.routes.length === 0 || !next.routes.every(({ name }) => isKnown(name))) return null;
    if (next.stale === false && (next.routeNames.length !== state.routeNames.length || !next.routeNames.every(isKnown))) return null;
    return next;
  },
};

const ofStacks = {
  POP(state, { count }, { source, isTarget }) {
    const from = isTarget && source ? state.routes.findIndex(({ key }) => key === source) : state.index;
    if (from <= 0) return null;
    const routes = [...state.routes.slice(0, Math.max(from - count + 1, 1)), ...state.routes.slice(from + 1)];
    return { ...state, index: routes.length - 1, routes };
  },
  PUSH(state, { name, params }, { made }) {
    if (!state.routeNames.includes(name)) return null;
    const routes = [...state.routes, { key: `${name}-test`, name, ...made(name, params) }];
    return { ...state, index: routes.length - 1, routes };
  },
};

const ofTabs = {
  JUMP_TO(state, { name, params }, { made }) {
    const index = state.routes.findIndex((route) => route.name === name);
    if (index < 0) return null;
    const routes = state.routes.map(({ params: _, ...route }, place) => (place === index ? { ...route, ...made(name, params) } : state.routes[place]));
    const visited = index === 0 ? [routes[0]] : [routes[0], routes[index]];
    return { ...state, index, routes, history: visited.map(({ key }) => ({ type: "route", key })) };
  },
};
