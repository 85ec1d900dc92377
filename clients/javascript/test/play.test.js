import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { nodesBelow, play } from "../src/play.js";
import { frontOf, layersOf, routesOf } from "../src/routes.js";

const answers = JSON.parse(readFileSync(new URL("../../../Tests/CairnAPITests/Answers.json", import.meta.url), "utf8"));
const apps = [...new Set(Object.keys(answers).flatMap((name) => /^(.*) at 1, the answer$/.exec(name)?.[1] ?? []))];

/** Returns the service's stack without `flow`, which a tree does not contain. */
export function withoutFlows(stack) {
  return stack.map(({ flow, ...route }) => route);
}

for (const app of apps) {
  test(`the recorded changes of ${app}, applied to each tree, result in the next recorded tree`, () => {
    let tree = answers[`${app} at 1, the answer`].tree;
    let revision = 1;
    for (; answers[`${app} at ${revision + 1}, the answer`]; revision += 1) {
      const next = answers[`${app} at ${revision + 1}, the answer`];
      const before = JSON.stringify(tree);
      const played = play(tree, next.changes);
      assert.equal(JSON.stringify(tree), before, "the given tree is not changed");
      if (next.tree) assert.deepEqual(played, next.tree, `${app} at ${revision + 1}`);
      if (next.stack) assert.deepEqual(routesOf(played), withoutFlows(next.stack), `the stack of ${app} at ${revision + 1}`);
      const whole = answers[`${app} at ${revision + 1}, the session`];
      if (whole) assert.deepEqual(played, whole.tree);
      tree = played;
    }
    assert.ok(revision > 3);
  });
}

const screen = (id, name = id) => ({ id, kind: "screen", name });
const stack = (id, ...children) => ({ id, kind: "stack", name: id, children });
const tree = { id: "n0", kind: "tabs", name: "app", selected: 1, children: [stack("n1", screen("n2"), screen("n3")), stack("n4", screen("n5"))] };

test("nodes that a change does not concern remain the same objects", () => {
  const played = play(tree, [{ op: "push", in: "n4", node: screen("n6") }]);
  assert.equal(played.children[0], tree.children[0]);
  assert.equal(played.children[1].children[0], tree.children[1].children[0]);
  assert.notEqual(played, tree);
});

test("a node that remains after a set is the same object", () => {
  const played = play(tree, [{ op: "set", in: "n1", children: [screen("n3"), screen("n9")] }]);
  assert.equal(played.children[0].children[0], tree.children[0].children[1]);
});

const { selected, ...withoutSelection } = tree;
const cases = {
  "set of tabs without children removes the selection": [{ op: "set", in: "n0", children: [] }, { ...withoutSelection, children: [] }],
  "set of tabs selects the first tab": [{ op: "set", in: "n0", children: [stack("n7")] }, { ...tree, selected: 0, children: [stack("n7")] }],
  "set with the kind stack collapses the node": [{ op: "set", in: "n1", kind: "stack", children: [] }, inFirst({ ...stack("n1"), collapsed: true })],
  "set with the kind split makes the node a split": [{ op: "set", in: "n1", kind: "split", children: [] }, inFirst({ ...stack("n1"), kind: "split" })],
  "replace of the root replaces the whole tree": [{ op: "replace", at: "n0", node: screen("n8") }, screen("n8")],
  "remove removes one child": [{ op: "remove", node: "n2" }, inFirst(stack("n1", screen("n3")))],
  "present adds a modal to its node": [{ op: "present", on: "n5", node: screen("n8") }, inSecond(stack("n4", { ...screen("n5"), presented: screen("n8") }))],
  "update replaces the facts of a flow": [{ op: "update", node: "n4", facts: { amount: 5 } }, inSecond({ ...stack("n4", screen("n5")), facts: { amount: 5 } })],
  "update with empty params leaves the node without the member params": [
    { op: "update", node: "n5", params: {}, ended: false, content: { status: "idle" } }, inSecond(stack("n4", { ...screen("n5"), content: { status: "idle" } })),
  ],
};

function inFirst(child) {
  return { ...tree, children: [child, tree.children[1]] };
}

function inSecond(child) {
  return { ...tree, children: [tree.children[0], child] };
}

for (const [name, [change, expected]] of Object.entries(cases)) {
  test(name, () => assert.deepEqual(play(tree, [change]), expected));
}

test("modals on levels are sorted by level, and the member levels is removed with the last one", () => {
  const on = (level) => ({ ...screen(`n${level}0`), level });
  const present = (level) => ({ op: "present", on: "n0", level, node: on(level) });
  const raised = play(tree, [present(2), present(1)]);
  assert.deepEqual(raised.levels.map((modal) => modal.level), [1, 2]);
  assert.deepEqual(play(raised, [{ op: "dismiss", node: "n10" }, { op: "dismiss", node: "n20" }]), tree);
  assert.throws(() => play(raised, [present(2)]));
});

test("of two modals over the root, the newer one is in front, unless the other one has come in front again", () => {
  const both = play(tree, [{ op: "present", on: "n0", node: screen("n8") }, { op: "present", on: "n5", node: screen("n9") }]);
  assert.equal(routesOf(both).at(-1).id, "n9");
  const raised = play(both, [{ op: "dismiss", node: "n8" }, { op: "present", on: "n0", node: { ...screen("n8"), order: 10 } }]);
  assert.equal(routesOf(raised).at(-1).id, "n8");
});

test("overlays are sorted by creation, have one slot each, and are layers that do not cover the screen", () => {
  const overlay = (id, slot) => ({ op: "overlay", slot, node: { ...screen(id), slot } });
  const laid = play(tree, [overlay("n10", "top"), overlay("n9", "bottom")]);
  assert.deepEqual(laid.overlays.map(({ id }) => id), ["n9", "n10"]);
  assert.throws(() => play(laid, [overlay("n11", "top")]));
  assert.deepEqual(layersOf(laid).map(({ id }) => id), ["n0", "n9", "n10"]);
  assert.deepEqual([frontOf(laid), routesOf(laid)], [frontOf(tree), routesOf(tree)]);
  assert.deepEqual(play(laid, [{ op: "update", node: "n9", params: { text: "Hi" } }]).overlays[0].params, { text: "Hi" });
  assert.deepEqual(play(laid, [{ op: "dismiss", node: "n9" }, { op: "dismiss", node: "n10" }]), tree);
});

test("play throws an error for a change that does not fit the tree", () => {
  for (const change of [
    { op: "push", in: "n99", node: screen("n8") }, { op: "pop", in: "n1", to: "n5" }, { op: "dismiss", node: "n2" }, { op: "remove", node: "n0" },
    { op: "replace", at: "n99", node: screen("n8") }, { op: "turn", in: "n1" }, { op: "constructor" },
  ]) assert.throws(() => play(tree, [change]), `${change.op}`);
});

test("nodesBelow returns all nodes, including those of a modal", () => {
  const modal = play(tree, [{ op: "present", on: "n5", node: stack("n8", screen("n9")) }]);
  assert.deepEqual([...nodesBelow(modal)].map(([id]) => id), ["n0", "n1", "n2", "n3", "n4", "n5", "n8", "n9"]);
});
