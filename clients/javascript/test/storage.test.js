import assert from "node:assert/strict";
import test from "node:test";
import { readKept } from "../src/storage/kept.js";
import { hasSecret, mayBeStored } from "../src/storage/secrecy.js";
import { Store } from "../src/storage/store.js";
import { settled } from "../testing/manual-machine.js";
import { MemoryIndexedDB } from "../testing/memory-indexed-db.js";

async function opened(indexedDB) {
  const notices = [];
  const store = await Store.open("cairn", { indexedDB, onNotice: (message, cause) => notices.push([message, cause?.message]) });
  return { store, notices };
}

const loss = "a reload of this page loses the actions that are not sent yet";

test("the next page loads a value as it was when it was saved", async () => {
  const disk = new MemoryIndexedDB();
  const { store } = await opened(disk);
  const value = { list: [1] };
  assert.equal(await store.save({ a: value, b: 2 }), true);
  value.list.push(2);
  const next = await opened(disk);
  assert.deepEqual([await next.store.load("a"), await next.store.load("b"), await next.store.load("c")], [{ list: [1] }, 2, undefined]);
  await next.store.save({ a: undefined });
  assert.deepEqual([disk.keys(), next.notices], [["b"], []]);
});

test("saves that wait for a running transaction are combined into one transaction, with the newest value of each key", async () => {
  const disk = new MemoryIndexedDB();
  const { store } = await opened(disk);
  let go;
  disk.hold = (run) => { go = run; };
  const saves = [store.save({ a: 1 })];
  await settled();
  saves.push(store.save({ a: 2, b: 2 }), store.save({ a: 3 }));
  assert.deepEqual([await store.load("a"), await store.load("b")], [3, 2]);
  disk.hold = undefined;
  go();
  assert.deepEqual(await Promise.all(saves), [true, true, true]);
  assert.deepEqual([disk.writes.length, disk.stored("a"), disk.stored("b")], [2, 3, 2]);
});

test("a deletion is a separate transaction, and a later value of its key is written in a later one", async () => {
  const disk = new MemoryIndexedDB();
  const { store } = await opened(disk);
  await store.save({ a: 1, b: 1 });
  const held = [];
  disk.hold = (run) => held.push(run);
  const saves = [store.save({ a: 2 })];
  await settled();
  saves.push(store.save({ a: 3, b: 3 }), store.delete(["a"]), store.save({ a: 4 }));
  assert.deepEqual([await store.load("a"), await store.load("b"), held.length], [4, 3, 1]);
  disk.hold = undefined;
  held[0]();
  assert.deepEqual(await Promise.all(saves), [true, true, true, true]);
  assert.deepEqual([disk.valuesOf("a"), disk.valuesOf("b")], [[1, 2, undefined, 4], [1, 3]]);
});

test("clear deletes all values, including those that are being saved", async () => {
  const disk = new MemoryIndexedDB();
  const { store } = await opened(disk);
  await store.save({ a: 1 });
  store.save({ a: 2 });
  await store.clear();
  await settled();
  assert.deepEqual([disk.keys(), await store.load("a")], [[], undefined]);
});

const quota = new DOMException("no space", "QuotaExceededError");
for (const [what, disk, reason, cause] of [
  ["without IndexedDB", undefined, "the browser's storage cannot be opened", "there is no IndexedDB"],
  ["if IndexedDB is denied", Object.assign(new MemoryIndexedDB(), { failure: { open: new Error("denied") } }), "the browser's storage cannot be opened", "denied"],
  ["if IndexedDB is full", Object.assign(new MemoryIndexedDB(), { failure: { write: quota } }), "the browser's storage is full", "no space"],
]) {
  test(`${what}, values are kept in memory, and this is reported once`, async () => {
    const { store, notices } = await opened(disk);
    assert.equal(await store.save({ a: 1 }), false);
    assert.equal(await store.save({ b: 2 }), false);
    assert.deepEqual([await store.load("a"), await store.load("b"), store.isLasting], [1, 2, false]);
    assert.deepEqual(notices, [[`${reason}: ${loss}`, cause]]);
  });
}

test("if a save fails, the earlier value is deleted, because it is out of date", async () => {
  const disk = new MemoryIndexedDB();
  const { store } = await opened(disk);
  await store.save({ a: 1, other: 1 });
  let isFull = true;
  Object.defineProperty(disk.failure, "write", { get: () => { const problem = isFull ? quota : undefined; isFull = false; return problem; } });
  await store.save({ a: 2 });
  assert.deepEqual([disk.stored("a"), disk.stored("other"), await store.load("a")], [undefined, 1, 2]);
});

for (const [what, lose] of [
  ["a failed save", async (disk, store) => { disk.failure.write = quota; await store.save({ a: 1 }); disk.failure.write = undefined; }],
  ["a failed read", async (disk, store) => { disk.failure.read = new Error("broken"); await store.load("a"); disk.failure.read = undefined; }],
]) {
  test(`after ${what}, a later save or deletion of a value removes the outdated value from the disk`, async () => {
    const disk = new MemoryIndexedDB();
    const { store } = await opened(disk);
    await store.save({ session: { next: 1 }, remembered: "s1", other: 1 });
    await lose(disk, store);
    await store.save({ session: { next: 6 } });
    await store.delete(["remembered"]);
    assert.deepEqual([disk.keys(), await store.load("session"), await store.load("remembered")], [["other"], { next: 6 }, undefined]);
    disk.failure.write = quota;
    assert.deepEqual([await store.save({ other: 2 }), await store.load("other"), disk.stored("other")], [false, 2, 1], "a failed deletion keeps the value in memory");
    disk.failure.write = undefined;
    await store.clear();
    assert.deepEqual([disk.keys(), await store.load("session")], [[], undefined]);
  });
}

test("only the save of a value that cannot be cloned is rejected, and later values are kept in memory", async () => {
  const disk = new MemoryIndexedDB();
  const { store } = await opened(disk);
  let give;
  const lost = store.save({ a: () => new Promise((resolve) => { give = () => resolve({ params: new Proxy({}, {}) }); }) });
  await settled();
  const deleted = store.delete(["b"]);
  const kept = store.save({ c: 1 });
  give();
  await assert.rejects(lost, { name: "DataCloneError" });
  assert.deepEqual([await deleted, await kept, await store.save({ d: 1 }), await store.load("c"), await store.load("d")], [false, false, false, 1, 1]);
});

test("a value that cannot be read counts as missing, and this is reported", async () => {
  const disk = new MemoryIndexedDB();
  const { store, notices } = await opened(disk);
  await store.save({ a: 1 });
  disk.failure.read = new Error("broken");
  assert.equal(await store.load("a"), undefined);
  assert.deepEqual(notices, [[`the browser's storage cannot be read: ${loss}`, "broken"]]);
});

const client = "client-with-22-letters";
const hash = "a".repeat(64);
const place = { service: "http://cairn.example", id: "s1" };
const action = (number, more = {}) => ({ uid: `u${number}`, number, body: { type: "back" }, at: 5, ...more });
const whole = { body: { id: "s1", revision: 3, tree: { id: "n1" } } };
const content = (more = {}) => ({ format: 1, ...place, at: 7, client, next: 3, pending: [action(1), action(2)], ...more });
const all = { client, next: 3, pending: [action(1), action(2)] };
const part = "stored content is discarded in part:";

for (const [what, input, notice, left] of [
  ["missing content", undefined, undefined, undefined],
  ["content of this client", content(), undefined, all],
  ["content with all parts", content({ whole, definition: hash, secret: "cs_1" }), undefined, { ...all, whole, definition: hash, secret: "cs_1" }],
  ["content without actions", content({ client: undefined, next: undefined, pending: [] }), undefined, { pending: [] }],
  ["a text", "[{", "stored content is discarded: it was not stored by this client", undefined],
  ["null", null, "stored content is discarded: it was not stored by this client", undefined],
  ["a list", [], "stored content is discarded: it was not stored by this client", undefined],
  ["content with a newer format", content({ format: 2 }), "stored content is discarded: it has the format 2, not 1", undefined],
  ["content without a format", { ...content(), format: undefined }, "stored content is discarded: it has the format undefined, not 1", undefined],
  ["another session's content", content({ id: "s2" }), "stored content is discarded: it belongs to another session or service", undefined],
  ["another service's content", content({ service: "http://other" }), "stored content is discarded: it belongs to another session or service", undefined],
  ["content without a time", content({ at: "now" }), "stored content is discarded: the time at which it was stored is missing", undefined],
  ["pending actions that are not a list", content({ pending: {} }), `${part} the pending actions cannot be read`, { pending: [] }],
  ["an invalid client id", content({ client: "short" }), `${part} the pending actions cannot be read`, { pending: [] }],
  ["an incomplete action", content({ pending: [action(1), { uid: "u2" }] }), `${part} the pending actions from the second on cannot be read`, { client, pending: [action(1)] }],
  ["decreasing numbers", content({ next: 9, pending: [action(5), action(4)] }), `${part} the pending actions from the second on cannot be read`, { client, pending: [action(5)] }],
  ["a repeated number", content({ pending: [action(2), action(2)] }), `${part} the pending actions from the second on cannot be read`, { client, pending: [action(2)] }],
  ["a number that is a text", content({ pending: [action("1")] }), `${part} the pending actions from the first on cannot be read`, { client, pending: [] }],
  ["a next number that is already used", content({ next: 2 }), `${part} the next number is not above that of the last action`, { client, pending: [action(1), action(2)] }],
  ["a tree of another session", content({ whole: { body: { ...whole.body, id: "s2" } } }), `${part} \`whole\` cannot be read`, all],
  ["a whole session without a tree", content({ whole: { body: { id: "s1", revision: 3 } } }), `${part} \`whole\` cannot be read`, all],
  ["an engine's state that is an object", content({ replica: { state: {}, format: 1, revision: 3 } }), `${part} \`replica\` cannot be read`, all],
  ["a definition that is not a hash", content({ definition: "d" }), `${part} \`definition\` cannot be read`, all],
  ["two invalid parts", content({ definition: 1, secret: 2 }), `${part} \`definition\` cannot be read; \`secret\` cannot be read`, all],
]) {
  test(`the valid parts of stored content are read: ${what}`, () => {
    const read = readKept(input, place);
    const kept = left && { ...place, at: 7, ...left };
    assert.deepEqual([read.kept, read.notice], [kept, notice]);
  });
}

const definition = {
  steps: { open: { params: { id: { kind: "integer" } } }, pay: { params: { id: { kind: "integer" }, card: { kind: "string", secret: true } } } },
  screens: { order: { params: { id: { kind: "integer" } } }, card: { params: { card: { kind: "string", secret: true } } } },
};

for (const [body, isStored, isStoredWithout, isSecret = false, isSecretWithout = false] of [
  [{ type: "back" }, true, true],
  [{ type: "facts", set: { plan: "free" } }, true, true],
  [{ step: "open", params: { id: 1 }, from: "n2" }, true, false],
  [{ step: "open" }, true, true],
  [{ step: "pay", params: { id: 1 } }, true, false],
  [{ step: "pay", params: { id: 1, card: undefined } }, true, false],
  [{ step: "pay", params: { id: 1, card: "4111" } }, false, false, true],
  [{ step: "unknown", params: { id: 1 } }, false, false],
  [{ type: "push", in: "n1", screen: "order", params: { id: 1 } }, true, false],
  [{ type: "push", in: "n1", screen: "card", params: { card: "4111" } }, false, false, true],
  [{ type: "present", flow: { screen: "card", params: { card: "4111" } } }, false, false, true],
  [{ type: "token", accessToken: "t" }, false, false, true, true],
  [{ type: "login", code: "c" }, false, false, true, true],
  [{ type: "logout" }, true, true],
  [{ type: "answer", loaded: {} }, false, false],
  [[{ type: "back" }], false, false],
  [[{ type: "back" }, { type: "token", accessToken: "t" }], false, false, true, true],
  [[{ step: "pay", params: { card: "4111" } }], false, false, true],
  ["back", false, false],
  [undefined, false, false],
]) {
  test(`the body ${JSON.stringify(body)} is ${isStored ? "stored" : "never stored"}${isSecret ? ", and has a secret" : ""}`, () => {
    assert.deepEqual([mayBeStored(body, definition), mayBeStored(body)], [isStored, isStoredWithout]);
    assert.deepEqual([hasSecret(body, definition), hasSecret(body)], [isSecret, isSecretWithout]);
  });
}
