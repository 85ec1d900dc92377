import assert from "node:assert/strict";
import test from "node:test";
import { ViewKeys } from "../src/view-keys.js";

const tree = (...ids) => ({ id: "n1", kind: "stack", children: ids.map((id) => ({ id, kind: "screen" })) });

test("a key stays with its node, whatever its id, and leads back to it", () => {
  const keys = new ViewKeys();
  keys.rename({ n7: "n8" });
  assert.deepEqual(["n8", "n7", "n1"].map((id) => keys.of(id)), ["n7", "n7~1", "n1"]);
  keys.rename({ n8: "n9" });
  assert.deepEqual(["n9", "n8", "n7"].map((id) => keys.of(id)), ["n7", "n8~2", "n7~1"]);
  for (const id of ["n1", "n7", "n8", "n9"]) assert.equal(keys.idOf(keys.of(id)), id);
});

test("two nodes can take each other's ids", () => {
  const keys = new ViewKeys();
  keys.rename({ n7: "n8", n8: "n7" });
  assert.deepEqual(["n7", "n8"].map((id) => [keys.of(id), keys.idOf(keys.of(id))]), [["n8", "n7"], ["n7", "n8"]]);
});

test("another page gets the keys of the nodes that are shown, and no two nodes get the same one there", () => {
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
