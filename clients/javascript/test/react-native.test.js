import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import test from "node:test";
import { promisify } from "node:util";
import { start } from "../src/index.js";
import { openMemory } from "../src/storage/memory.js";
import { ManualMachine, settled } from "../testing/manual-machine.js";
import { becomeReactNative, bodiless } from "../testing/react-native.js";
import { answer, popped, pushed, ScriptedService, session as whole, silence, stream } from "../testing/scripted-service.js";

const client = new URL("../src/index.js", import.meta.url).href;

/** Starts a session in React Native with a service that returns the given responses. `fetchOf(service)` returns the fetch of the client. */
async function started(t, fetchOf, ...answers) {
  becomeReactNative(t);
  const service = new ScriptedService(answer(whole(1, { secret: "cs_1" })), ...answers);
  const machine = new ManualMachine(fetchOf(service));
  const { fetch, timers, random, network } = machine;
  const given = { fetch, timers, random, network };
  return { service, machine, session: await start({ baseURL: "https://cairn.example/", app: "shop", details: false, ...given }) };
}

const streams = ({ fetch }) => fetch;
const waits = ({ fetch }) => async (...given) => bodiless(await fetch(...given));

test("a session is created without a key, because a key could be guessed, and each post has its own key", async (t) => {
  // A random source that always returns the same number, and two posts within a millisecond.
  t.mock.method(Math, "random", () => 0.123456789);
  t.mock.method(Date, "now", () => 1_700_000_000_000);
  const { service, session } = await started(t, waits, answer(pushed(2)), answer(popped(3)));
  assert.equal("Idempotency-Key" in service.calls[0].headers, false);
  await session.step("detailIsPicked");
  await session.back();
  const keys = service.posts.slice(1).map(([, key]) => key);
  assert.equal(new Set(keys).size, 2);
  for (const key of keys) assert.match(key, /^"[0-9a-z]{8,}-[0-9a-z]+-[0-9a-z]{12,}"$/);
});

test("a session is created with a key of the option newKey, or with the option key", async (t) => {
  becomeReactNative(t);
  const service = new ScriptedService(answer(whole()), answer(whole()));
  const options = { baseURL: "https://cairn.example", app: "shop", fetch: service.fetch };
  await start({ ...options, newKey: () => "of-the-app" });
  await start({ ...options, newKey: () => "of-the-app", key: "of-this-session" });
  assert.deepEqual(service.posts.map(([, key]) => key), ['"of-the-app"', '"of-this-session"']);
});

test("the client uses long polls if responses have no body, and server-sent events if fetch streams", async (t) => {
  const polled = await started(t, waits, answer(whole(2)), silence);
  polled.session.subscribe(() => {});
  await settled();
  assert.equal(polled.service.calls[1].url, "https://cairn.example/v1/sessions/s1?wait=20s");
  assert.equal(polled.session.revision, 2);

  const live = stream();
  const streamed = await started(t, streams, live.answer);
  streamed.session.subscribe(() => {});
  live.event("change", pushed(2), 2);
  await settled();
  assert.equal(streamed.service.calls[1].url, "https://cairn.example/v1/sessions/s1/events");
  assert.deepEqual([streamed.session.revision, streamed.session.getSnapshot().connection], [2, "live"]);
});

test("a stream that sent nothing for 45 s is opened again as soon as the network is back, although abort signals have no reason", async (t) => {
  const [first, second] = [stream(), stream()];
  const { service, machine, session } = await started(t, streams, first.answer, second.answer);
  session.subscribe(() => {});
  await settled();
  await machine.advance(45_000);
  assert.equal(session.getSnapshot().connection, "offline");
  await machine.goOnline();
  second.event("change", pushed(2), 2);
  await settled();
  assert.deepEqual([service.calls.length, session.revision, session.getSnapshot().connection], [3, 2, "live"]);
});

test("a read and a post that the caller aborts are rejected with the code aborted, and the post is not sent again", async (t) => {
  const { service, machine, session } = await started(t, streams, silence, silence);
  const stop = new AbortController();
  const read = assert.rejects(session.refresh({ signal: stop.signal }), { code: "aborted" });
  const post = assert.rejects(session.back({ signal: stop.signal }), { code: "aborted" });
  await settled();
  stop.abort();
  await Promise.all([read, post]);
  await assert.rejects(session.back({ signal: stop.signal }), { code: "aborted" });
  await machine.advance(120_000);
  assert.equal(service.calls.length, 3);
});

test("a base URL without http or https is rejected, although URL.protocol is not implemented", async (t) => {
  becomeReactNative(t);
  await assert.rejects(start({ baseURL: "ftp://cairn.example", app: "shop" }), TypeError);
  await assert.rejects(start({ baseURL: "/here", app: "shop" }), TypeError);
});

test("the client can be imported without TextDecoder, which React Native before 0.85 does not have", async () => {
  // A process of its own, because this one has loaded the modules already.
  const program = `delete globalThis.TextDecoder; await import(${JSON.stringify(client)});`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
});

test("without WebAssembly the service's predictions are shown, no engine is requested, and the client reports this once", async (t) => {
  becomeReactNative(t);
  const predicted = { action: { type: "select", tab: 1 }, changes: [{ op: "select", in: "n0", index: 1 }], outcome: "performed" };
  const begun = { ...whole(1, { secret: "cs_1" }), predictions: [predicted] };
  const service = new ScriptedService(answer(begun, 201, { "Cairn-Engine": "/engine/0000.wasm" }), silence);
  const { fetch, timers, random, network } = new ManualMachine(service.fetch);
  const notices = [];
  const given = { fetch, timers, random, network, details: false, predict: true, webAssembly: null };
  const session = await start({ baseURL: "https://cairn.example/", app: "shop", ...given, onNotice: (text) => notices.push(text) });
  session.select(1);
  await settled();
  assert.deepEqual(service.calls.map(({ url }) => url), ["/v1/sessions", "/v1/sessions/s1/actions"].map((path) => `https://cairn.example${path}`));
  assert.equal(service.calls[1].headers.Prefer, "return=minimal, predict");
  assert.equal(session.visible.screen, "list");
  assert.deepEqual(notices, ["the engine cannot be used: actions are shown when the service has responded"]);
});

test("values in memory are copied without structuredClone", async (t) => {
  becomeReactNative(t);
  const [memory, value] = [openMemory(), { posts: [1] }];
  await memory.save(new Map([["key", value]]));
  value.posts.push(2);
  assert.deepEqual(await memory.load("key"), { posts: [1] });
});
