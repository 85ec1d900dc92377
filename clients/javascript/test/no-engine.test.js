import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { start } from "../src/node.js";
import { predictable, startService } from "../testing/service.js";
import { predicting, put, screens, trip } from "../testing/trip.js";

// In a file of their own, because the sessions of a page share a module that was loaded.
let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "trip", trip);
});
after(() => service.stop());

const show = (session, n) => session.step("show", { n });

for (const [what, broken] of [
  ["an engine that is not there", () => new Response("", { status: 404 })],
  ["a page whose policy forbids WebAssembly", () => new Response(new Uint8Array([0, 97, 115, 109, 9, 9, 9, 9]))],
]) {
  test(`${what}: the client goes on without it, and says so once`, async () => {
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

test("after a trap the confirmed session is shown, and what was posted arrives", async (context) => {
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
  assert.equal(screens(session), "home", "nothing is predicted any more");
  network.release();
  await Promise.all(taps);
  assert.equal(screens(session), "home page1 page2");
  await show(session, 3);
  assert.deepEqual([screens(session), notices.length, session.getSnapshot().predicts], ["home page1 page2 page3", 1, false]);
  session.close();
});

for (const [member, number] of [["format", 2], ["engine", 1]]) {
  test(`a state with another number of its ${member} is not predicted on, and that is said once`, { timeout: 10_000 }, async () => {
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
