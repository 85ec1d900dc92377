import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { start } from "../src/node.js";
import { predictable, startService } from "../testing/service.js";
import { put, screens, trip } from "../testing/trip.js";

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
