import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect } from "../src/node.js";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { predictable, startService, until } from "../testing/service.js";

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

async function history({ id, secret }) {
  const other = await connect({ baseURL: service.url, id, secret, predict: false });
  return (await other.history({ after: 1 })).entries.map(({ action, sender }) => [action.tab, sender?.action]);
}

test("a tap of a page that follows is shown in both once the leading page has run it, and goes to the service once", async () => {
  const { device, one, other } = await two();
  device.isOnline = false;
  const tap = watched(other.select(1));
  await settled();
  assert.deepEqual([one.visible.screen, other.visible.screen, tap.state], ["orderList", "orderList", "waiting"]);
  await device.goOnline();
  await until(other, ({ waiting, revision }) => waiting === 0 && revision === 2);
  await settled();
  assert.deepEqual([tap.value.outcome, await history(one)], ["performed", [[1, 1]]]);
  for (const page of [other, one]) page.close();
});

test("only the leading page reads the session and its events", async () => {
  const { device, one, other } = await two();
  const asked = [];
  device.fetch = (url, init) => { asked.push(init.method); return fetch(url, init); };
  await other.select(1);
  assert.deepEqual(asked.filter((method) => method === "POST"), ["POST"]);
  await one.select(2);
  await until(other, ({ visible }) => visible.screen === "profileHome");
  for (const page of [other, one]) page.close();
});

test("when the leading page is gone, the next one sends all that waits, each once and in order", async () => {
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
  await settled();
  assert.deepEqual(taps.map(({ state }) => state), ["done", "done", "done"]);
  assert.deepEqual(await history(one), [[1, 1], [2, 2], [0, 3], [1, 4]]);
  other.close();
});

test("a post that the lost page had not stored is posted again, and one whose answer was lost with the page is not", async () => {
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
  await settled();
  assert.deepEqual([first.state, second.state, await history(one)], ["done", "done", [[1, 1], [2, 2]]]);
  other.close();
});

test("a refusal and an abort reach the page that posted", async () => {
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

test("the end of the session ends it in all pages", async () => {
  const { device, one, other } = await two();
  const waiting = watched(other.open("delivery://nowhere"));
  await settled();
  await one.end();
  await settled();
  assert.deepEqual([other.getSnapshot().over, device.stored(one.id)], ["deleted", undefined]);
  assert.notEqual(waiting.state, "waiting");
});

test("a page that is closed leaves the others as they are", async () => {
  const { one, other } = await two();
  one.close();
  await settled();
  await other.select(1);
  assert.deepEqual([other.getSnapshot().over, other.visible.screen], [undefined, "orderList"]);
  other.close();
});
