import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { delayAfter } from "../src/backoff.js";
import { connect } from "../src/node.js";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { problem } from "../testing/scripted-service.js";
import { predictable, startService, until } from "../testing/service.js";

let service;
before(async () => { service = await startService(predictable); });
after(() => service.stop());

/** A long timeout, because the manual clock advances while the real service processes a request. */
const patient = { timeout: 3_600_000 };

/** Returns the selected tab and the sender's number of each entry of the service's history. */
async function history({ id, secret }) {
  const other = await connect({ baseURL: service.url, id, secret, predict: false });
  return (await other.history({ after: 1, limit: 1000 })).entries.map(({ action, sender }) => [action.tab, sender?.action]);
}

/** For the given time, gives posts the response of `make` instead of sending them. Returns a function that returns the number of these posts. */
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

test("after a Retry-After of a year, the client tries again after a day", () => {
  assert.equal(delayAfter({ retryAfter: 365 * 86_400 }, 1, () => 0), 86_400_000);
});

for (const [what, make, most] of [
  ["503 with Retry-After", () => problem(503, "overloaded", { "Retry-After": "5" }), 25],
  ["429 without Retry-After", () => problem(429, "rate-limited"), 60],
  ["502 from a gateway", () => new Response("bad gateway", { status: 502 }), 60],
]) {
  test(`100 taps that wait during two minutes of ${what} run once and in order`, async () => {
    const device = new Device(service.url);
    const session = await device.page(patient).start({ app: "delivery" });
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

/** Begins a session without a network, on a device that has stored the app's definition. */
async function local(options = {}) {
  const device = new Device(service.url);
  const earlier = await device.page(patient).start({ app: "delivery" });
  await device.ready(earlier.id);
  earlier.close();
  await settled();
  device.isOnline = false;
  const page = device.page({ ...patient, remember: true, ...options });
  const session = await page.start({ app: "delivery" });
  const taps = [1, 2].map((tab) => watched(session.select(tab)));
  await device.disk.until(() => device.stored(session.id)?.pending.length === 2);
  return { device, page, session, taps };
}

for (const [what, make] of [
  ["503", () => problem(503, "overloaded")],
  ["429 with Retry-After", () => problem(429, "rate-limited", { "Retry-After": "5" })],
]) {
  test(`a session that began offline is created after two minutes of ${what}, with all its actions`, async () => {
    const { device, session, taps } = await local();
    const refusals = refusing(device, 120_000, make);
    await device.goOnline();
    await device.machine.advance(119_000);
    assert.deepEqual([session.getSnapshot().over, session.isLocal, device.stored(session.id).pending.length], [undefined, true, 2]);
    await device.machine.advance(70_000);
    await until(session, ({ waiting }) => waiting === 0);
    await settled();
    assert.deepEqual([session.isLocal, taps.map(({ state }) => state), await history(session)], [false, ["done", "done"], [[1, 1], [2, 2]]]);
    assert.ok(refusals() > 3);
    session.close();
  });
}

test("a session begins in the engine while the service responds with 503, and is created later", async () => {
  const { device, session: earlier } = await local();
  earlier.close();
  await device.goOnline();
  refusing(device, 10_000, () => problem(503, "overloaded", { "Retry-After": "10" }));
  const session = await device.page(patient).start({ app: "delivery" });
  assert.equal(session.isLocal, true);
  await device.machine.advance(11_000);
  await until(session, () => !session.isLocal);
  session.close();
});

test("a stored session is read in the background, repeatedly while the service responds with 503", async () => {
  const device = new Device(service.url);
  const page = device.page(patient);
  const { id, secret } = await page.start({ app: "delivery" });
  await device.ready(id);
  page.kill();
  const other = await connect({ baseURL: service.url, id, secret, predict: false });
  await other.select(1);
  device.fetch = async (url, init) => (device.machine.now() < 120_000 ? problem(503, "overloaded", { "Retry-After": "5" }) : fetch(url, init));
  const session = await device.page(patient).connect({ id, secret });
  await device.machine.advance(119_000);
  assert.equal(session.revision, 1);
  await device.machine.advance(10_000);
  await device.disk.until(() => device.stored(id).whole.body.revision === 2);
  session.close();
});

test("when the service refuses the creation of a session, each waiting action is passed to onRejected", async () => {
  const rejected = [];
  const { device, session, taps } = await local({ onRejected: ({ action, code }) => rejected.push([action.tab, code]) });
  device.fetch = async () => problem(422, "invalid");
  await device.goOnline();
  await until(session, ({ over }) => over !== undefined);
  await settled();
  assert.deepEqual([session.getSnapshot().over, session.getSnapshot().waiting, taps.map(({ reason }) => reason?.code)], ["refused", 0, ["over", "over"]]);
  assert.deepEqual(rejected, [[1, "over"], [2, "over"]]);
  assert.deepEqual(device.disk.keys().filter((key) => /local-|remembered/.test(key)), []);
});
