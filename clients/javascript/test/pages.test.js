import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import test, { after, before } from "node:test";
import { defaults } from "../src/machine.js";
import { connect } from "../src/node.js";
import { CairnProblem } from "../src/problem.js";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { predictable, revisionsTo, startService, until } from "../testing/service.js";

let service;
before(async () => { service = await startService(predictable); });
after(() => service.stop());

/** Two pages of a session, of which the first one leads. */
async function two() {
  const device = new Device(service.url);
  const pages = [device.page(), device.page()];
  const one = await pages[0].start({ app: "delivery" });
  await device.ready(one.id);
  const other = await pages[1].connect({ id: one.id, secret: one.secret });
  await settled();
  return { device, pages, one, other };
}

/** Returns a function that returns random numbers below a limit. Each seed has its own fixed sequence. */
function random(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
}

async function history({ id, secret }) {
  const other = await connect({ baseURL: service.url, id, secret, predict: false });
  return (await other.history({ after: 1 })).entries.map(({ action, sender }) => [action.tab, sender?.action]);
}

test("a tap in a following page is shown in both pages, and the leading page sends it once", async () => {
  const { device, one, other } = await two();
  device.isOnline = false;
  const tap = watched(other.select(1));
  await settled();
  assert.deepEqual([one.visible.screen, other.visible.screen, tap.state], ["orderList", "orderList", "waiting"]);
  await device.goOnline();
  await until(other, ({ waiting, revision }) => waiting === 0 && revision === 2);
  await tap.end;
  assert.deepEqual([tap.value.outcome, await history(one)], ["performed", [[1, 1]]]);
  for (const page of [other, one]) page.close();
});

test("a post of a following page takes one request, and the page shows a change that the leading page posts", async () => {
  const { device, one, other } = await two();
  const asked = [];
  device.fetch = (url, init) => { asked.push(init.method); return fetch(url, init); };
  await other.select(1);
  assert.deepEqual(asked.filter((method) => method === "POST"), ["POST"]);
  await one.select(2);
  await until(other, ({ visible }) => visible.screen === "profileHome");
  for (const page of [other, one]) page.close();
});

test("when the leading page is killed, the next one sends all waiting posts, each once and in order", async () => {
  const { device, pages, one, other } = await two();
  device.isOnline = false;
  one.select(1).catch(() => {});
  const taps = [watched(other.select(2)), watched(other.select(0))];
  await device.disk.until(() => device.stored(one.id).pending.length === 3);
  pages[0].kill();
  await settled();
  taps.push(watched(other.select(1)));
  await settled();
  assert.deepEqual([other.visible.screen, other.getSnapshot().waiting], ["orderList", 4]);
  await device.goOnline();
  await until(other, ({ waiting }) => waiting === 0);
  await Promise.all(taps.map(({ end }) => end));
  assert.deepEqual(taps.map(({ state }) => state), ["done", "done", "done"]);
  assert.deepEqual(await history(one), [[1, 1], [2, 2], [0, 3], [1, 4]]);
  other.close();
});

test("a page that is opened while a frozen page holds the lock shows the pending actions, before and after it takes over", async () => {
  const { device, pages, one, other } = await two();
  pages[1].kill();
  device.isOnline = false;
  one.select(1).catch(() => {});
  one.select(2).catch(() => {});
  await device.disk.until(() => device.stored(one.id).pending.length === 2);
  pages[0].freeze();
  const next = await device.page().connect({ id: one.id, secret: one.secret });
  const shown = [];
  const look = () => shown.push([next.visible.screen, next.getSnapshot().waiting]);
  look();
  next.subscribe(look);
  pages[0].kill();
  await settled();
  assert.deepEqual([shown[0], shown.find((one) => one[0] !== "profileHome" || one[1] !== 2)], [["profileHome", 2], undefined]);
  await device.goOnline();
  await until(next, ({ waiting }) => waiting === 0);
  assert.deepEqual(await history(one), [[1, 1], [2, 2]]);
  for (const page of [next, other]) page.close();
});

test("a page without posts of its own shows the screen of the new leading page", async () => {
  const { device, pages, one, other } = await two();
  const third = await device.page().connect({ id: one.id, secret: one.secret });
  await settled();
  pages[0].kill();
  await settled();
  await other.select(1);
  await settled();
  assert.equal(third.visible.screen, "orderList");
  for (const page of [other, third]) page.close();
});

test("when the leading page is killed, a post that has lost its response and a post that was not stored yet run once", async () => {
  const { device, pages, one, other } = await two();
  let arrived;
  const isThere = new Promise((resolve) => { arrived = resolve; });
  device.fetch = async (url, init) => {
    await fetch(url, init);
    if (init.method === "POST") arrived();
    return new Promise(() => {});
  };
  const first = watched(other.select(1));
  await isThere;
  device.disk.hold = () => {};
  const second = watched(other.select(2));
  await settled();
  [device.disk.hold, device.fetch] = [undefined, fetch];
  pages[0].kill();
  await settled();
  await until(other, ({ waiting, revision }) => waiting === 0 && revision === 3);
  await Promise.all([first.end, second.end]);
  assert.deepEqual([first.state, second.state, await history(one)], ["done", "done", [[1, 1], [2, 2]]]);
  other.close();
});

for (const seed of [1, 2, 3]) {
  test(`each tap runs once and in order while pages are opened and killed and the network is lost and restored (seed ${seed})`, async () => {
    const chance = random(seed);
    const device = new Device(service.url);
    const first = device.page();
    const { id, secret } = await first.start({ app: "delivery" });
    await device.ready(id);
    first.kill();
    const pages = [];
    const join = async () => {
      const page = device.page({ timers: defaults.timers });
      pages.push({ page, session: await page.connect({ id, secret }) });
    };
    await join();
    const taps = [];
    for (let turn = 0; turn < 60; turn += 1) {
      if (pages.length < 2 || chance(4) === 0) await join();
      if (chance(6) === 0) await (device.machine.network.isOnline ? (device.isOnline = false) : device.goOnline());
      const place = chance(pages.length);
      taps.push(watched(pages[place].session.select((turn + 1) % 3, { from: null })));
      // In some turns another page, often the leading one, is killed before the tap has its response.
      const lost = chance(pages.length);
      if (lost !== place && chance(2) === 0) pages.splice(lost, 1)[0].page.kill();
      await settled();
    }
    await device.goOnline();
    await until(pages[0].session, ({ waiting }) => waiting === 0);
    await settled();
    const entries = await history({ id, secret });
    assert.deepEqual(entries.map(([tab]) => tab), Array.from({ length: 60 }, (_, turn) => (turn + 1) % 3));
    for (const { session } of pages) {
      assert.equal(session.revision, 61);
      session.close();
    }
  });
}

test("a refusal and an abort reject the promise in the page that posted the action", async () => {
  const { device, one, other } = await two();
  await assert.rejects(other.step("nonsense"), (problem) => problem.code === "not-handled" || problem.status === 422 || problem.status === 409);
  device.isOnline = false;
  const stop = new AbortController();
  const tap = watched(other.select(1, { signal: stop.signal }));
  await settled();
  stop.abort(new Error("no more"));
  await settled();
  assert.equal(tap.reason.message, "no more");
  for (const page of [other, one]) page.close();
});

test("an action that its page aborts before it is sent is undone in all pages, and does not run", async () => {
  const { device, one, other } = await two();
  const rejected = [];
  for (const session of [one, other]) session.onRejected(({ code }) => rejected.push(code));
  device.isOnline = false;
  const stop = new AbortController();
  const { signal } = new AbortController();
  const aborted = watched(other.select(1, { signal: stop.signal }));
  const tap = other.select(2, { signal });
  await device.disk.until(() => device.stored(one.id).pending.length === 2);
  stop.abort(new Error("no more"));
  await device.disk.until(() => device.stored(one.id).pending.length === 1);
  await settled();
  assert.deepEqual([one, other].map((session) => [session.visible.screen, session.getSnapshot().waiting]), [["profileHome", 1], ["profileHome", 1]]);
  await device.goOnline();
  await tap;
  assert.deepEqual([aborted.reason.message, await history(one), rejected], ["no more", [[2, 2]], []]);
  assert.deepEqual([stop.signal, signal].map((one) => getEventListeners(one, "abort")), [[], []]);
  for (const page of [other, one]) page.close();
});

test("each page is notified of a refused action exactly once, regardless of the page that posted it", async () => {
  const { pages, one, other } = await two();
  const heard = [[], []];
  for (const [place, session] of [one, other].entries()) {
    session.onRejected(({ action, code, problem }) => heard[place].push([action.step, code, problem instanceof CairnProblem && problem.status]));
  }
  await assert.rejects(other.step("first"));
  await assert.rejects(one.step("second"));
  await settled();
  pages[0].kill();
  await settled();
  await assert.rejects(other.step("third"));
  const entries = ["first", "second", "third"].map((step) => [step, "invalid", 422]);
  assert.deepEqual(heard, [entries.slice(0, 2), entries]);
  other.close();
});

test("the refusal of an action that may have a secret is reported only to the leading page and to the page that posted it", async () => {
  const { device, one, other } = await two();
  const third = await device.page().connect({ id: one.id, secret: one.secret });
  await settled();
  const heard = [[], [], []];
  for (const [place, session] of [one, other, third].entries()) session.onRejected(({ action }) => heard[place].push([action.step, action.params?.pin]));
  await assert.rejects(other.step("first", { pin: "pin-1" }));
  await assert.rejects(one.step("second", { pin: "pin-2" }));
  await assert.rejects(other.step("third"));
  await settled();
  const [first, second, last] = [["first", "pin-1"], ["second", "pin-2"], ["third", undefined]];
  assert.deepEqual(heard, [[first, second, last], [first, last], [last]]);
  for (const page of [third, other, one]) page.close();
});

test("when one page ends the session, it ends in all pages, and its stored content is deleted", async () => {
  const { device, one, other } = await two();
  const waiting = watched(other.open("delivery://nowhere"));
  await settled();
  await one.end();
  await settled();
  assert.deepEqual([other.getSnapshot().over, device.stored(one.id)], ["deleted", undefined]);
  assert.notEqual(waiting.state, "waiting");
});

test("readers of events in all pages receive each event once and in order, even if another page takes over", async () => {
  const { device, pages, one, other } = await two();
  const third = await device.page().connect({ id: one.id, secret: one.secret });
  const client = await connect({ baseURL: service.url, id: one.id, secret: one.secret, predict: false });
  await settled();
  const short = [one, other, third].map((page) => revisionsTo(4, page.events()));
  const long = [other, third].map((page) => revisionsTo(7, page.events()));
  await other.select(1);
  await client.select(2);
  await one.select(0);
  assert.deepEqual(await Promise.all(short), short.map(() => [2, 3, 4]));
  pages[0].kill();
  await client.select(1);
  await settled();
  await third.select(2);
  const late = revisionsTo(7, third.events());
  await client.select(0);
  assert.deepEqual(await Promise.all(long), long.map(() => [2, 3, 4, 5, 6, 7]));
  assert.deepEqual(await late, [7]);
  for (const page of [other, third, client]) page.close();
});

test("the view of a confirmed prediction keeps its key in all pages, even if another page takes over", async () => {
  const { device, pages, one, other } = await two();
  const client = await connect({ baseURL: service.url, id: one.id, secret: one.secret, predict: false });
  device.isOnline = false;
  other.step("restaurantPicked", { restaurantId: 4 }).catch(() => {});
  await settled();
  assert.equal(other.visible.screen, "restaurant");
  const key = other.keyOf(other.visible.id);
  const predicted = other.visible.id;
  // The node that the other client creates gets the predicted id.
  await client.step("restaurantPicked", { restaurantId: 5 }, { from: null });
  await client.back();
  await device.goOnline();
  await until(other, ({ waiting, revision }) => waiting === 0 && revision === 4);
  await settled();
  assert.notEqual(other.visible.id, predicted);
  assert.deepEqual([one, other].map(({ visible, keyOf }) => keyOf(visible.id)), [key, key]);
  const late = await device.page().connect({ id: one.id, secret: one.secret });
  await settled();
  assert.equal(late.keyOf(late.visible.id), key);
  pages[0].kill();
  await until(other, ({ predicts }) => predicts);
  await settled();
  assert.deepEqual([other, late].map(({ visible, keyOf }) => keyOf(visible.id)), [key, key]);
  for (const page of [other, late, client]) page.close();
});

/** Two pages of a session. The first page leads, and is frozen during the request of its tap `held`. `send` lets this request reach the service. */
async function frozen() {
  const made = await two();
  const { device, pages, one } = made;
  let take;
  const sent = new Promise((resolve) => { take = resolve; });
  device.fetch = (url, init) => {
    if (init?.method !== "POST") return fetch(url, init);
    return new Promise((resolve) => take(() => fetch(url, init).then(resolve)));
  };
  const held = watched(one.select(1));
  const send = await sent;
  pages[0].freeze();
  device.fetch = fetch;
  return { ...made, held, send };
}

/** The time after which a page takes over from a leading page that does not respond, in milliseconds. */
const silence = 4_500;

test("if the leading page is frozen, a page with a waiting tap takes over, and the frozen page posts nothing after it wakes up", async () => {
  const { device, pages, one, other, held, send } = await frozen();
  const tap = watched(other.select(2));
  await settled();
  assert.equal(tap.state, "waiting");
  await device.machine.advance(silence);
  await until(other, ({ waiting, revision }) => waiting === 0 && revision === 3);
  await tap.end;
  assert.deepEqual([tap.state, held.state, await history(one)], ["done", "waiting", [[1, 1], [2, 2]]]);
  const before = pages[0].posts;
  await send();
  pages[0].wake();
  const late = watched(one.select(0));
  await until(one, ({ revision, waiting }) => revision === 4 && waiting === 0);
  await Promise.all([held.end, late.end]);
  assert.deepEqual([held.value.outcome, late.value.outcome, pages[0].posts - before], ["performed", "performed", 0]);
  assert.deepEqual(await history(one), [[1, 1], [2, 2], [0, 3]]);
  assert.deepEqual([one, other].map(({ visible, getSnapshot }) => [visible.screen, getSnapshot().waiting]), [["restaurantList", 0], ["restaurantList", 0]]);
  for (const page of [other, one]) page.close();
});

test("a request that a frozen page had sent runs once, even if it arrives together with that of the new leading page", async () => {
  const { device, pages, one, other, held, send } = await frozen();
  const taps = [watched(other.select(2))];
  await device.machine.advance(silence);
  const arrived = send();
  await until(other, ({ waiting, revision }) => waiting === 0 && revision === 3);
  await arrived;
  pages[0].wake();
  taps.push(watched(one.select(0)));
  await until(one, ({ revision, waiting }) => revision === 4 && waiting === 0);
  await Promise.all([held, ...taps].map(({ end }) => end));
  assert.deepEqual([held, ...taps].map(({ value }) => value.outcome), ["performed", "performed", "performed"]);
  assert.deepEqual(await history(one), [[1, 1], [2, 2], [0, 3]]);
  for (const page of [other, one]) page.close();
});

test("a page that was frozen while its tap waited for the network does not send the tap after it wakes up", async () => {
  const { device, pages, one, other } = await two();
  device.isOnline = false;
  const taps = [watched(one.select(1))];
  await device.disk.until(() => device.stored(one.id).pending.length === 1);
  pages[0].freeze();
  taps.push(watched(other.select(2)));
  await device.machine.advance(silence);
  const before = pages[0].posts;
  // The frozen page is also notified that the network is back, but cannot send anything.
  await device.goOnline();
  await until(other, ({ waiting, revision }) => waiting === 0 && revision === 3);
  pages[0].wake();
  await until(one, ({ revision, waiting }) => revision === 3 && waiting === 0);
  await Promise.all(taps.map(({ end }) => end));
  assert.deepEqual([taps.map(({ state }) => state), pages[0].posts - before, await history(one)], [["done", "done"], 0, [[1, 1], [2, 2]]]);
  for (const page of [other, one]) page.close();
});

test("a page that was frozen does not overwrite the content that the new leading page has stored, and leads again when that page is killed", async () => {
  const { device, pages, one, other } = await frozen();
  device.isOnline = false;
  const reader = revisionsTo(3, one.events());
  other.select(2).catch(() => {});
  await device.machine.advance(silence);
  await device.disk.until(() => device.stored(one.id).pending.length === 2);
  pages[0].wake();
  await settled();
  assert.deepEqual(device.stored(one.id).pending.map(({ number, body }) => [number, body.tab]), [[1, 1], [2, 2]]);
  assert.deepEqual([one.visible.screen, one.getSnapshot().waiting], ["profileHome", 2]);
  pages[1].kill();
  await settled();
  await device.goOnline();
  await until(one, ({ waiting, revision }) => waiting === 0 && revision === 3);
  assert.deepEqual([await history(one), await reader], [[[1, 1], [2, 2]], [2, 3]]);
  await until(one, ({ predicts }) => predicts);
  assert.equal((await one.select(0)).outcome, "performed");
  one.close();
});

test("the session continues in the other pages when one page is closed", async () => {
  const { one, other } = await two();
  one.close();
  await settled();
  await other.select(1);
  assert.deepEqual([other.getSnapshot().over, other.visible.screen], [undefined, "orderList"]);
  other.close();
});
