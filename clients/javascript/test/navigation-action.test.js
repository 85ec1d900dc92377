import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { navigationActionBetween, toNavigationState } from "../src/react-navigation.js";
import { settled } from "../testing/manual-machine.js";
import { ModelContainer } from "../testing/model-container.js";
import { lot, navigators, Trees } from "../testing/navigators.js";
import { answered } from "../testing/routers.js";

const cases = JSON.parse(readFileSync(new URL("../testing/react-navigation-cases.json", import.meta.url), "utf8"));
// Excludes one case with `getId`, one with a preloaded route, and those with another `backBehavior`.
const isModelled = ({ action, options, id }) =>
  ["POP", "PUSH", "JUMP_TO"].includes(action?.type) && options?.backBehavior === undefined && !["v7/TabRouter/67", "v7/StackRouter/85"].includes(id);
const modelled = cases.filter(isModelled);

test(`the model container reaches the same states as React Navigation for ${modelled.length} actions`, () => {
  assert.equal(modelled.length, 10);
  for (const { id, state, action, routeParamList, expected } of modelled) assert.deepEqual(answered(state, action, { routeParamList }), expected, id);
});

/** Returns a state without the keys and the histories of its navigators. */
function shown({ type, index, routes }) {
  return {
    type, index,
    routes: routes.map(({ key, name, params, state }) => ({ key, name, ...(params ? { params } : {}), ...(state ? { state: shown(state) } : {}) })),
  };
}

const screen = (id, name, params) => ({ id, kind: "screen", name, ...(params ? { params } : {}) });
const stack = (id, name, ...children) => ({ id, kind: "stack", name, children });
const list = screen("n3", "list");
const first = screen("n4", "dish", { a: 1 });
const second = screen("n5", "dish", { a: 2 });

function app(home, { selected = 0, orders = [screen("n7", "list")], presented } = {}) {
  const children = [stack("n2", "home", ...home), stack("n6", "orders", ...orders), screen("n8", "profile", { of: "me" })];
  return { id: "n1", kind: "tabs", name: "app", selected, children, ...(presented ? { presented } : {}) };
}

const routeNames = Object.fromEntries(Object.entries(navigators).map(([name, navigator]) => [name, navigator.routeNames]));
const stateOf = (tree) => toNavigationState(tree, { routeNames });
const between = (before, after) => navigationActionBetween(stateOf(before), after);
const chat = screen("n9", "chat");

test("a container that already shows the tree needs no action", () => {
  const tree = app([list, first], { presented: stack("n9", "checkout", screen("n10", "list")) });
  assert.equal(between(tree, tree), undefined);
});

test("routes that were removed from the top of a stack are popped, also modals and routes of an unselected tab", () => {
  const pop = (target, source, count) => ({ type: "POP", payload: { count }, source, target });
  assert.deepEqual(between(app([list, first, second]), app([list, first])), pop("stack-n2", "n5", 1));
  assert.deepEqual(between(app([list, first, second]), app([list])), pop("stack-n2", "n5", 2));
  assert.deepEqual(between(app([list], { presented: chat }), app([list])), pop("stack-root", "n9", 1));
  assert.deepEqual(between(app([list], { orders: [screen("n7", "list"), second] }), app([list])), pop("stack-n6", "n5", 1), "in an unselected tab");
});

test("a newly selected tab is shown with `JUMP_TO`, and keeps its params", () => {
  assert.deepEqual(between(app([list]), app([list], { selected: 1 })), { type: "JUMP_TO", payload: { name: "orders" }, target: "tab-n1" });
  const profile = { name: "profile", params: { of: "me" } };
  assert.deepEqual(between(app([list]), app([list], { selected: 2 })), { type: "JUMP_TO", payload: profile, target: "tab-n1" });
});

test("changed params are set with `SET_PARAMS`, and removed params need a reset", () => {
  const [set, gone] = [screen("n4", "dish", { a: 1, b: 2 }), screen("n4", "dish")];
  assert.deepEqual(between(app([list, first]), app([list, set])), {
    type: "SET_PARAMS", payload: { params: { a: 1, b: 2 } }, source: "n4", target: "stack-n2",
  });
  const { type, target, payload } = between(app([list, first]), app([list, gone]));
  assert.deepEqual([type, target, payload.routes], ["RESET", "stack-n2", [{ key: "n3", name: "list" }, { key: "n4", name: "dish" }]]);
});

test("a new route is added by a reset of its stack, which reuses the other routes", () => {
  const state = stateOf(app([list, first]));
  const home = state.routes[0].state.routes[0].state;
  const action = navigationActionBetween(state, app([list, first, second]));
  assert.deepEqual(action, {
    type: "RESET", target: "stack-n2", payload: { ...home, index: 2, routes: [...home.routes, { key: "n5", name: "dish", params: { a: 2 } }] },
  });
  assert.equal(action.payload.routes[0], home.routes[0]);
});

test("changes in two navigators are one reset of the innermost navigator that contains both", () => {
  const before = app([list, first]);
  const state = stateOf(before);
  const action = navigationActionBetween(state, app([list], { selected: 1 }));
  assert.deepEqual([action.type, action.target, action.payload.index], ["RESET", "tab-n1", 1]);
  assert.deepEqual(action.payload.history, [{ type: "route", key: "n2" }, { type: "route", key: "n6" }]);
  const tabs = state.routes[0].state;
  assert.equal(tabs.routes.length, 3);
  for (const place of [1, 2]) assert.equal(action.payload.routes[place], tabs.routes[place]);
  assert.equal(action.payload.routes[0].state.key, "stack-n2");
  assert.equal(between(before, app([list], { presented: chat })).target, "stack-root");
});

test("a screen with a known id but another name replaces the route", () => {
  const { type, payload } = between(app([list, first]), app([list, screen("n4", "list")]));
  assert.deepEqual([type, payload.routes[1]], ["RESET", { key: "n4", name: "list" }]);
});

test("removed or replaced tabs reset their navigator", () => {
  const before = app([list]);
  for (const children of [before.children.slice(0, 2), [...before.children.slice(0, 2), screen("n12", "profile")]]) {
    const { type, target, payload } = between(before, { ...before, children });
    assert.deepEqual([type, target, payload.routes.map(({ key }) => key)], ["RESET", "tab-n1", children.map(({ id }) => id)]);
  }
});

test("for an incomplete or missing state, `navigationActionBetween` throws an error that names `getRootState`", () => {
  assert.throws(() => navigationActionBetween(toNavigationState(app([list])), app([list])), /getRootState/);
  assert.throws(() => navigationActionBetween(undefined, app([list])), /getRootState/);
});

test("over 2,000 random changes, a container shows each tree after at most one action, and mounts no route twice", async () => {
  const counts = {};
  for (let seed = 1; seed <= 40; seed += 1) {
    const chance = lot(seed);
    const trees = new Trees();
    let { tree } = trees;
    const container = new ModelContainer(navigators, toNavigationState(tree));
    await Promise.resolve();
    for (let turn = 0; turn < 50; turn += 1) {
      tree = trees.changed(tree, chance);
      const action = navigationActionBetween(container.whole, tree);
      counts[action?.type] = (counts[action?.type] ?? 0) + 1;
      if (action) container.dispatch(action);
      assert.deepEqual(shown(container.whole), shown(toNavigationState(tree)), `${seed} ${turn}`);
      await Promise.resolve();
      assert.deepEqual(shown(container.whole), shown(toNavigationState(tree)), `${seed} ${turn}, drawn`);
      assert.equal(navigationActionBetween(container.whole, tree), undefined);
    }
    for (const [key, count] of container.mounts) assert.equal(count, 1, `${seed}: ${key}`);
  }
  await settled();
  for (const type of ["POP", "JUMP_TO", "SET_PARAMS", "RESET", "undefined"]) assert.ok(counts[type] > 50, `${type}: ${counts[type]}`);
});
