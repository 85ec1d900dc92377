import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect } from "../src/node.js";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { predictable, startService, until } from "../testing/service.js";
import { put, trip } from "../testing/trip.js";

let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "trip", trip);
});
after(() => service.stop());

/** Returns the numbers of the pages that steps have shown, in order. */
async function shownPages({ id, secret }) {
  const other = await connect({ baseURL: service.url, id, secret, predict: false });
  return (await other.history({ after: 1 })).entries.map(({ action }) => action.params.n);
}

/** Returns a function that returns pseudorandom numbers below a limit. Equal seeds give equal numbers. */
function random(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
}

/** Resolves when all taps have a response, or after ten seconds. */
async function answered(taps) {
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, 10_000); });
  await Promise.race([Promise.allSettled(taps.map(({ answer }) => answer)), late]);
  clearTimeout(timer);
}

for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
  test(`each action runs once although pages freeze, resume and crash, and the network fails (seed ${seed})`, async () => {
    const chance = random(seed);
    const device = new Device(service.url);
    const first = device.page();
    const session = await first.start({ app: "trip" });
    const { id, secret } = session;
    const pages = [{ page: first, session, isFrozen: false }];
    const taps = [];
    // With an odd seed, the first actions are posted before the definition is known.
    if (seed % 2 === 0) await device.ready(id);
    const running = () => pages.filter(({ isFrozen }) => !isFrozen);
    for (let turn = 0; turn < 40; turn += 1) {
      if (running().length < 2) {
        const page = device.page();
        pages.push({ page, session: await page.connect({ id, secret }), isFrozen: false });
      }
      if (chance(6) === 0) await (device.machine.network.isOnline ? (device.isOnline = false) : device.goOnline());
      const sender = running()[chance(running().length)];
      const answer = sender.session.act({ step: "show", params: { n: turn } });
      taps.push({ sender, n: turn, answer, seen: watched(answer) });
      for (let some = chance(3); some > 0; some -= 1) await new Promise((resolve) => setImmediate(resolve));
      const one = pages[chance(pages.length)];
      const what = chance(6);
      if (what === 0) { one.isFrozen = true; one.page.freeze(); }
      if (what === 1) { one.isFrozen = false; one.page.wake(); }
      if (what === 2 && one !== sender) { one.isLost = true; one.page.kill(); pages.splice(pages.indexOf(one), 1); }
      if (what > 3) await device.machine.advance(2_000);
    }
    for (const one of pages) one.page.wake();
    await device.goOnline();
    await device.machine.advance(10_000);
    const waited = taps.filter(({ sender }) => !sender.isLost);
    await answered(waited);
    for (const { session } of pages) session.close();
    await settled();
    const done = await shownPages({ id, secret });
    // Before the definition is known nothing is predicted, so an action without a network fails.
    const failed = waited.filter(({ seen }) => seed % 2 === 1 && seen.reason?.code === "offline");
    assert.deepEqual(failed.filter(({ n }) => done.includes(n)).map(({ n }) => n), [], "no failed action has run");
    const left = waited.filter((tap) => !failed.includes(tap));
    assert.deepEqual(left.filter(({ seen }) => seen.state !== "done").map(({ n, seen }) => [n, seen.state, seen.reason?.message]), []);
    assert.deepEqual(done.filter((n, place) => done.indexOf(n) !== place), [], "no action has run twice");
    assert.deepEqual(left.map(({ n }) => n).filter((n) => !done.includes(n)), [], "no action is lost");
  });
}

test("an action that a page posted before it was frozen does not run if the page aborts it after it resumes", async () => {
  const device = new Device(service.url);
  const pages = [device.page(), device.page()];
  const one = await pages[0].start({ app: "trip" });
  await device.ready(one.id);
  const refused = [];
  const other = await pages[1].connect({ id: one.id, secret: one.secret, onRefused: ({ code }) => refused.push(code) });
  await settled();
  device.isOnline = false;
  const stop = new AbortController();
  const show = (session, n, options) => session.act({ step: "show", params: { n } }, options);
  const aborted = watched(show(one, 1, { signal: stop.signal }));
  await device.disk.until(() => device.stored(one.id).pending.length === 1);
  pages[0].freeze();
  const tap = show(other, 2);
  await device.machine.advance(6000);
  await until(other, ({ waiting }) => waiting === 2);
  pages[0].wake();
  await settled();
  stop.abort(new Error("no more"));
  await until(other, ({ waiting }) => waiting === 1);
  await device.goOnline();
  await tap;
  assert.deepEqual([aborted.reason.message, await shownPages(one), refused], ["no more", [2], []]);
  for (const page of [other, one]) page.close();
});

test("an action that is aborted while the leading page is frozen does not run", async () => {
  const device = new Device(service.url);
  const pages = [device.page(), device.page()];
  const one = await pages[0].start({ app: "trip" });
  await device.ready(one.id);
  const other = await pages[1].connect({ id: one.id, secret: one.secret });
  await settled();
  device.isOnline = false;
  const stop = new AbortController();
  const aborted = watched(other.act({ step: "show", params: { n: 1 } }, { signal: stop.signal }));
  await device.disk.until(() => device.stored(one.id).pending.length === 1);
  pages[0].freeze();
  stop.abort(new Error("no more"));
  const tap = other.act({ step: "show", params: { n: 2 } });
  await device.machine.advance(6000);
  await until(other, ({ waiting }) => waiting === 1);
  pages[0].wake();
  await settled();
  await device.goOnline();
  await tap;
  assert.deepEqual([aborted.reason.message, await shownPages(one)], ["no more", [2]]);
  for (const page of [other, one]) page.close();
});
