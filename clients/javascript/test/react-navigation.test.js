import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fromNavigationState, gesturesBetween, toNavigationState } from "../src/react-navigation.js";
import { play } from "../src/play.js";
import { rehydrated } from "../testing/rehydrate.js";

// The cases of React Navigation 7's own tests of its routers and paths (MIT licence), with their results; testing/README.md lists the omitted ones.
const cases = JSON.parse(readFileSync(new URL("../testing/react-navigation-cases.json", import.meta.url), "utf8"));
const routerCases = cases.filter(({ fn }) => fn !== "getStateFromPath");
const states = routerCases.flatMap(({ id, state, expected }) => [[`${id} before`, state], [`${id} after`, expected]]).filter(([, one]) => one?.routes);
const screen = (id, name, more = {}) => ({ id, kind: "screen", name, ...more });

/** Returns a state of the outermost navigator, with the given state in one of its routes, as in an app. */
function app(state) {
  return { type: "stack", index: 0, routes: [{ name: "main", key: "n0", state }] };
}

/** Returns the type, the index and the shown routes of a state, without the members that a container or router adds. */
function said({ type = "stack", index, routes }) {
  const isStack = type === "stack";
  const shown = isStack ? routes.slice(0, (index ?? routes.length - 1) + 1) : routes;
  return {
    type: isStack ? "stack" : "tab", index: isStack ? shown.length - 1 : (index ?? 0),
    routes: shown.map(({ key, name, params, state }) => ({
      name, ...(key === undefined ? {} : { key }), ...(params === undefined ? {} : { params }), ...(state === undefined ? {} : { state: said(state) }),
    })),
  };
}

test(`${states.length} states of React Navigation's routers are the same after conversion to a tree and back`, () => {
  for (const [id, state] of states.filter(([, one]) => one.routes.length > 0)) {
    assert.deepEqual(said(toNavigationState(fromNavigationState(app(state)))), said(app(state)), id);
  }
});

test("the 60 results of getStateFromPath are the same after conversion to a tree and back", () => {
  const paths = cases.filter(({ fn }) => fn === "getStateFromPath");
  assert.equal(paths.length, 60);
  for (const { id, expected } of paths) assert.deepEqual(said(toNavigationState(fromNavigationState(app(expected)))), said(app(expected)), id);
});

const rehydrations = routerCases.filter(({ fn }) => fn === "getRehydratedState");

test(`the model of a container completes ${rehydrations.length} partial states like React Navigation`, () => {
  assert.equal(rehydrations.length, 10);
  for (const { id, state, routeNames, routeParamList, options, expected } of rehydrations) {
    assert.deepEqual(rehydrated(state, { type: expected.type, routeNames, routeParamList, options }), expected, id);
  }
});

/** Returns the tree after gestures, which are applied as in the service. */
function played(tree, gestures) {
  return gestures.reduce((now, { type, node, tab }) => {
    if (type === "select") return play(now, [{ op: "select", in: node, index: tab }]);
    const below = tree.children.findIndex((child) => child.id === node) - 1;
    return play(now, [{ op: "pop", in: tree.id, to: tree.children[below].id }]);
  }, tree);
}

/** Returns whether gestures can lead to a state: no route is new or has other params, and routes are removed only from the top. */
function isReachable(state, expected) {
  const shown = ({ type, routes, index }) => (type === "stack" ? routes.slice(0, index + 1) : routes);
  const same = (route, other) => route !== undefined && route.key === other.key && JSON.stringify(route.params) === JSON.stringify(other.params);
  return shown(expected).every((route, index) => same(shown(state)[index], route));
}

test("gesturesBetween returns the gestures that lead to a router's result, and undefined if no gestures do", () => {
  const counts = { reached: 0, not: 0 };
  for (const { id, state, expected } of routerCases.filter(({ expected, state }) => state?.stale === false && expected?.stale === false)) {
    const tree = fromNavigationState(app(state));
    const gestures = gesturesBetween(tree, app(expected));
    if (isReachable(state, expected)) {
      assert.notEqual(gestures, undefined, id);
      assert.deepEqual(played(tree, gestures), fromNavigationState(app(expected)), id);
      counts.reached += 1;
    } else {
      assert.equal(gestures, undefined, id);
      counts.not += 1;
    }
  }
  assert.deepEqual(counts, { reached: 52, not: 54 });
});

const tree = {
  id: "n1", kind: "tabs", name: "app", selected: 1, children: [
    { id: "n2", kind: "stack", name: "home", children: [screen("n3", "list"), screen("n8", "dish", { params: { id: 1 } })] },
    { id: "n4", kind: "stack", name: "orders", children: [screen("n5", "orders", { presented: screen("n9", "chat") })] },
    screen("n6", "profile"),
  ],
};
const names = { root: ["app", "chat"], app: ["home", "orders", "profile"], home: ["list", "dish"], orders: ["orders"] };

test("modals are routes of the outermost stack, above the route of the root", () => {
  const state = toNavigationState({ tree });
  assert.deepEqual([state.type, state.index, state.stale, state.routes.map(({ key }) => key)], ["stack", 1, true, ["n1", "n9"]]);
  assert.deepEqual(fromNavigationState(state).presented, screen("n9", "chat"));
  assert.equal(fromNavigationState(state).children[0].children[1].params.id, 1);
});

test("the complete state is the same as the partial state that a container has completed", () => {
  const complete = toNavigationState(tree, { routeNames: names });
  const check = (state, name, partial) => {
    const { key, ...made } = rehydrated(partial, { type: state.type, routeNames: names[name] });
    const { key: own, ...whole } = state;
    assert.match(own, /^(stack|tab)-/);
    const shallow = ({ routes, ...rest }) => ({ ...rest, routes: routes.map(({ state: _, ...route }) => route) });
    assert.deepEqual(shallow(whole), shallow(made));
    for (const [index, route] of state.routes.entries()) if (route.state) check(route.state, route.name, partial.routes[index].state);
  };
  check(complete, "root", toNavigationState(tree));
});

test("gesturesBetween returns the gestures for a user's changes of the state, and undefined for other changes", () => {
  const after = (change) => {
    const state = structuredClone(toNavigationState(tree));
    change(state);
    return gesturesBetween(tree, state);
  };
  assert.deepEqual(after(() => {}), []);
  assert.deepEqual(after((state) => { state.routes.pop(); state.index = 0; }), [{ type: "dismiss", node: "n9", from: "n9" }]);
  assert.deepEqual(after((state) => { state.routes[0].state.index = 0; }), [{ type: "select", tab: 0, node: "n1", from: "n1" }]);
  assert.deepEqual(after((state) => { state.routes[0].state.routes[0].state.routes.pop(); state.routes[0].state.routes[0].state.index = 0; }),
    [{ type: "pop", node: "n8", from: "n9" }]);
  assert.deepEqual(after((state) => { delete state.routes[0].state.routes[0].state; }), [], "a navigator that is not mounted yet has no state");
  assert.equal(after((state) => { state.routes.push({ name: "chat", key: "chat-x1" }); state.index = 2; }), undefined);
  assert.equal(after((state) => { state.routes[0].state.routes[0].state.routes[1].params.id = 2; }), undefined);
});
