import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { start } from "../src/node.js";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { answer, problem, unreachable } from "../testing/scripted-service.js";
import { predictable, startService, until } from "../testing/service.js";
import { manualTimers, other, predicting, put, screens, trip } from "../testing/trip.js";

// These tests have a separate file, and so a separate process, because all sessions of a process share the compiled engine.
let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "trip", trip);
});
after(() => service.stop());

const show = (session, n) => session.step("show", { n });

for (const [what, broken] of [
  ["the engine is missing", () => new Response("", { status: 404 })],
  ["the engine cannot be compiled", () => new Response(new Uint8Array([0, 97, 115, 109, 9, 9, 9, 9]))],
]) {
  test(`if ${what}, the client continues without an engine, and reports this once`, async () => {
    const notices = [];
    let say;
    const said = new Promise((resolve) => { say = resolve; });
    const fetched = (url, init) => (url.includes("/engine/") ? Promise.resolve(broken()) : fetch(url, init));
    const session = await start({ baseURL: `${service.url}/`, app: "trip", fetch: fetched, onNotice: (text) => say(notices.push(text)) });
    await show(session, 1);
    await show(session, 2);
    assert.equal(screens(session), "home page1 page2");
    await said;
    assert.equal(notices.length, 1);
    assert.equal(session.getSnapshot().predicts, false);
    session.close();
  });
}

for (const [what, fail] of [
  ["a lost network", () => Promise.reject(unreachable())], ["a proxy's 502", async () => new Response("<html>", { status: 502 })],
  ["a 503", async () => problem(503, "overloaded")], ["a 429", async () => answer({}, 429)],
  ["an incomplete body", async () => new Response(new ReadableStream({ start: (body) => body.error(unreachable()) }))],
]) {
  test(`if the engine cannot be fetched because of ${what}, the client fetches it again after the next response`, async () => {
    const notices = [];
    // Sessions with the same URL share the compiled engine, so each test has a different URL.
    const prefix = `/${encodeURIComponent(what)}`;
    let fetches = 0;
    const fetched = (url, init) => {
      if (url.includes("/engine/") && (fetches += 1) === 1) return fail();
      return fetch(url.replace(prefix, ""), init);
    };
    const session = await start({ baseURL: service.url + prefix, app: "trip", fetch: fetched, onNotice: (text) => notices.push(text) });
    await show(session, 1);
    await until(session, ({ predicts }) => predicts);
    const tap = show(session, 2);
    assert.deepEqual([screens(session), fetches, notices], ["home page1 page2", 2, []]);
    await tap;
    session.close();
  });
}

test("a hotel network's sign-in page is not stored as the engine, and the next page loads the engine", async () => {
  let isSignedIn = false;
  const device = new Device(`${service.url}/hotel`, async (url, init) => (
    url.includes("/engine/") && !isSignedIn ? new Response("<html>sign in") : fetch(url.replace("/hotel", ""), init)));
  let say;
  const said = new Promise((resolve) => { say = resolve; });
  const one = await device.page({ onNotice: say }).start({ app: "trip" });
  assert.match(await said, /the engine cannot be used/);
  one.close();
  isSignedIn = true;
  const next = await device.page().connect({ id: one.id, secret: one.secret });
  await until(next, ({ predicts }) => predicts);
  await device.disk.until(() => device.disk.keys().some((key) => key.startsWith("engine")));
  assert.deepEqual(device.notices, []);
  next.close();
});

test("if 14 reads of the state get a 503, predictions continue, and the client reads the state after the next entry", async () => {
  const { machine, timers, now } = manualTimers();
  const notices = [];
  let reads = 0;
  let isOverloaded = false;
  const fetched = (url, init) => {
    if (!url.includes("/replica") || !isOverloaded) return fetch(url, init);
    reads += 1;
    return Promise.resolve(problem(503, "overloaded"));
  };
  const session = await start({ baseURL: service.url, app: "trip", timers, now, fetch: fetched, onNotice: (text) => notices.push(text) });
  await until(session, ({ predicts }) => predicts);
  const two = await other(service, session);
  isOverloaded = true;
  await show(two, 1);
  await session.refresh();
  for (let turn = 0; reads < 14 && turn < 100; turn += 1) await machine.advance(1000);
  await settled();
  assert.deepEqual([reads, notices, session.getSnapshot().predicts], [14, [], true]);
  isOverloaded = false;
  await show(two, 2);
  await session.refresh();
  await until(session, () => screens(session) === "home page1 page2");
  const tap = show(session, 3);
  await until(session, () => screens(session) === "home page1 page2 page3");
  await tap;
  session.close();
  two.close();
});

test("after a trap in the engine, the client shows the confirmed session, and the service performs the pending posts", async (context) => {
  const { instantiate } = WebAssembly;
  context.after(() => { WebAssembly.instantiate = instantiate; });
  let left = 1;
  WebAssembly.instantiate = async (...given) => {
    const { exports } = await instantiate(...given);
    const predict = (...numbers) => {
      if (left === 0) throw new WebAssembly.RuntimeError("unreachable");
      left -= 1;
      return exports.predict(...numbers);
    };
    return { exports: { ...exports, predict } };
  };
  const notices = [];
  const { session, network } = await predicting(service, { onNotice: (text) => notices.push(text) });
  network.hold();
  const taps = [show(session, 1), session.act({ step: "show", params: { n: 2 } })];
  assert.equal(screens(session), "home", "the client shows no predictions");
  network.release();
  await Promise.all(taps);
  assert.equal(screens(session), "home page1 page2");
  await show(session, 3);
  assert.deepEqual([screens(session), notices.length, session.getSnapshot().predicts], ["home page1 page2 page3", 1, false]);
  session.close();
});

for (const [member, number] of [["format", 99], ["engine", 1]]) {
  test(`if the number of the state's ${member} does not match, the client does not predict, and reports this once`, { timeout: 10_000 }, async () => {
    const notices = [];
    let say;
    const said = new Promise((resolve) => { say = resolve; });
    const fetched = async (url, init) => {
      const response = await fetch(url, init);
      if (!url.includes("/replica")) return response;
      return new Response(JSON.stringify({ ...(await response.json()), [member]: number }), { status: response.status });
    };
    const session = await start({ baseURL: service.url, app: "trip", fetch: fetched, onNotice: (text) => say(notices.push(text)) });
    await said;
    await show(session, 1);
    assert.equal(screens(session), "home page1");
    assert.deepEqual([notices.length, session.getSnapshot().predicts], [1, false]);
    session.close();
  });
}
