import assert from "node:assert/strict";
import test from "node:test";
import { ViewKeys } from "../src/view-keys.js";

const tree = (...ids) => ({ id: "n1", kind: "stack", children: ids.map((id) => ({ id, kind: "screen" })) });

test("a node keeps its key when its id changes, and idOf returns the current id of a key", () => {
  const keys = new ViewKeys();
  keys.rename({ n7: "n8" });
  assert.deepEqual(["n8", "n7", "n1"].map((id) => keys.of(id)), ["n7", "n7~1", "n1"]);
  keys.rename({ n8: "n9" });
  assert.deepEqual(["n9", "n8", "n7"].map((id) => keys.of(id)), ["n7", "n8~2", "n7~1"]);
  for (const id of ["n1", "n7", "n8", "n9"]) assert.equal(keys.idOf(keys.of(id)), id);
});

test("two nodes that exchange their ids keep their keys", () => {
  const keys = new ViewKeys();
  keys.rename({ n7: "n8", n8: "n7" });
  assert.deepEqual(["n7", "n8"].map((id) => [keys.of(id), keys.idOf(keys.of(id))]), [["n8", "n7"], ["n7", "n8"]]);
});

test("another page adopts the keys of the shown nodes, and never uses one key for two nodes", () => {
  const [keys, other] = [new ViewKeys(), new ViewKeys()];
  keys.rename({ n7: "n8" });
  keys.rename({ n20: "n21" });
  const shared = keys.shared(tree("n2", "n8"));
  assert.deepEqual(shared, { keys: { n8: "n7", n7: "n7~1" }, made: 2 });
  other.adopt(structuredClone(shared));
  assert.deepEqual(["n2", "n8", "n7"].map((id) => other.of(id)), ["n2", "n7", "n7~1"]);
  other.rename({ n7: "n9" });
  assert.deepEqual(["n8", "n9", "n7"].map((id) => other.of(id)), ["n7", "n7~1", "n7~3"]);
  assert.deepEqual(keys.shared(tree("n2")), { keys: {}, made: 2 });
});
