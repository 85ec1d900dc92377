import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { predictable, startService, until } from "../testing/service.js";
import { put, screens, trip } from "../testing/trip.js";

let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "trip", trip);
});
after(() => service.stop());

const show = (session, n) => session.step("show", { n });
const namesOf = ({ actions }) => actions.map(({ action }) => action.params?.n ?? action.type ?? action.step);

/** Returns a fetch that sends actions to the service, but replaces the step of each action that has this page number by an unknown step. */
function withUnknown(page) {
  return (url, init) => {
    if (init?.method !== "POST") return fetch(url, init);
    const { actions, ...others } = JSON.parse(init.body);
    const sent = actions?.map((action) => (action.params?.n === page ? { ...action, step: "isGone" } : action));
    return fetch(url, { ...init, body: JSON.stringify({ ...others, actions: sent }) });
  };
}

/** Starts a session with an engine, in which the service has refused page 2 and the actions on it: `{ device, page, session, posted, rejected }`. */
async function refused() {
  const device = new Device(service.url);
  const page = device.page();
  const session = await page.start({ app: "trip" });
  await device.ready(session.id);
  await until(session, ({ predicts }) => predicts);
  const rejected = [];
  session.onRejected(({ action, code, group }) => rejected.push([action.params?.n ?? action.type, code, group]));
  device.isOnline = false;
  const posted = [];
  for (const act of [() => show(session, 1), () => show(session, 2), () => show(session, 3), () => session.back()]) {
    posted.push(watched(act()));
    // The user sees the new screen after a frame.
    await device.machine.advance(16);
  }
  assert.equal(screens(session), "home page1 page2");
  device.fetch = withUnknown(2);
  await device.goOnline();
  await until(session, ({ waiting }) => waiting === 0);
  await Promise.all(posted.map(({ end }) => end));
  // The groups have been stored.
  await settled();
  device.fetch = fetch;
  return { device, page, session, posted, rejected };
}

test("with an engine, the steps and gestures on the page of a refused step are one group, and the pages before it remain", async () => {
  const { session, posted, rejected } = await refused();
  assert.equal(screens(session), "home page1");
  const [group, ...others] = session.groups();
  assert.deepEqual([group.code, namesOf(group), others], ["invalid", [2, 3, "back"], []]);
  assert.deepEqual(posted.map(({ value, reason }) => value?.outcome ?? reason.code), ["performed", "invalid", "dismissed", "dismissed"]);
  assert.deepEqual(rejected, [[2, "invalid", group.id], [3, "dismissed", group.id], ["back", "dismissed", group.id]]);
  session.close();
});

test("a group that is retried offline is shown at once, waits over a reload, and runs once", async () => {
  const { device, page, session } = await refused();
  const { id, secret } = session;
  device.isOnline = false;
  session.retry(session.groups()[0].id).catch(() => {});
  assert.deepEqual([screens(session), session.getSnapshot().waiting, session.groups()], ["home page1 page2", 3, []]);
  await device.disk.until(() => device.stored(id).pending.length === 3);
  page.kill();
  const next = await device.page().connect({ id, secret });
  assert.deepEqual([screens(next), next.groups()], ["home page1 page2", []]);
  await device.goOnline();
  await until(next, ({ waiting }) => waiting === 0);
  assert.deepEqual([screens(next), next.groups()], ["home page1 page2", []]);
  const { entries } = await next.history({ after: 1 });
  assert.deepEqual(entries.map(({ action }) => action.params?.n ?? action.type), [1, 2, 3, "back"]);
  next.close();
});
