import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect } from "../src/node.js";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { problem } from "../testing/scripted-service.js";
import { predictable, startService, until } from "../testing/service.js";

let service;
before(async () => { service = await startService(predictable); });
after(() => service.stop());

/** The tabs that the service's history selects, and the senders' numbers. */
async function history({ id, secret }) {
  const other = await connect({ baseURL: service.url, id, secret, predict: false });
  return (await other.history({ after: 1, limit: 1000 })).entries.map(({ action, sender }) => [action.tab, sender?.action]);
}

/** The service refuses posts for a while from now on: `refusals()` gives how many. */
function refusing(device, milliseconds, make) {
  const end = device.machine.now() + milliseconds;
  let refusals = 0;
  device.fetch = async (url, init) => {
    if (init.method !== "POST" || device.machine.now() >= end) return fetch(url, init);
    refusals += 1;
    return make();
  };
  return () => refusals;
}

for (const [what, make, most] of [
  ["503 with Retry-After", () => problem(503, "overloaded", { "Retry-After": "5" }), 25],
  ["429 without Retry-After", () => problem(429, "rate-limited"), 60],
  ["502 of a gateway", () => new Response("bad gateway", { status: 502 }), 60],
]) {
  test(`100 taps that wait while the service answers ${what} for two minutes come in once and in order`, async () => {
    const device = new Device(service.url);
    const session = await device.page().start({ app: "delivery" });
    await device.ready(session.id);
    const refusals = refusing(device, 120_000, make);
    const taps = Array.from({ length: 100 }, (_, place) => watched(session.select((place + 1) % 3)));
    await device.machine.advance(119_000);
    assert.deepEqual([session.getSnapshot().waiting, device.stored(session.id).pending.length], [100, 100]);
    await device.machine.advance(70_000);
    await until(session, ({ waiting }) => waiting === 0);
    await settled();
    assert.deepEqual(taps.filter(({ state }) => state !== "done"), []);
    assert.deepEqual(await history(session), taps.map((_, place) => [(place + 1) % 3, place + 1]));
    assert.ok(refusals() > 10 && refusals() <= most, `${refusals()} requests were refused`);
    session.close();
  });
}
