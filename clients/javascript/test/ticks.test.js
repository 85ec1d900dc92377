import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { Ticks } from "../src/session/ticks.js";
import { Device } from "../testing/device.js";
import { ManualMachine } from "../testing/manual-machine.js";
import { predictable, startService, until } from "../testing/service.js";
import { put } from "../testing/trip.js";

const [minute, day] = [60_000, 86_400_000];

/** An app that locks itself two minutes after the user has left it, by a timer only. */
const safe = `
app: safe
language: 1
root: main
screens: { home: { emits: [opened] }, page: , pin: { emits: [pinAccepted] } }
rules: [{ when: { fact: appState, is: background }, send: appHidden }]
flows:
  main:
    stack: home
    handle:
      opened: { push: page }
      appHidden: { timer: { after: 2m, send: lockDue, name: lock }, of: flow }
      lockDue: [{ when: { not: { screen: pin } }, do: { present: pin, level: 9, guard: true, sealed: true } }]
      pinAccepted: dismiss
`;

let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "safe", safe);
});
after(() => service.stop());

/** Returns the ticks of a session and the actions that they post (`posts`). `offer(next)` sets the next tick of the session's engine. */
function ticking({ isOffline = true, size = 1 } = {}) {
  const machine = new ManualMachine();
  const posts = [];
  const core = {
    connection: { isOffline }, transport: { machine }, outbox: { size }, predictions: { nextTick: undefined, seen: 7 },
    posting: { post: async (path, action, options) => { posts.push([machine.now(), path, action, options]); } },
  };
  const ticks = new Ticks(core);
  const offer = (next) => {
    core.predictions.nextTick = next;
    ticks.follow(next);
  };
  return { machine, core, ticks, posts, offer };
}

test("a tick is posted when it is due without a network, and not before", async () => {
  const { machine, posts, offer } = ticking();
  offer({ due: 500, node: "n1", send: "lockDue" });
  offer({ due: 500, node: "n1", send: "lockDue" });
  assert.deepEqual(machine.due, [500], "the browser's timer is set once");
  await machine.advance(499);
  assert.deepEqual(posts, []);
  await machine.advance(1);
  assert.deepEqual(posts, [[500, "/actions", { type: "tick", node: "n1", send: "lockDue" }, { seen: 7, queue: true }]]);
});

test("with a network, the service has two seconds to run the timer", async () => {
  const { machine, posts, offer } = ticking({ isOffline: false });
  offer({ due: 500, node: "n1", send: "lockDue" });
  await machine.advance(2_499);
  assert.deepEqual(posts, []);
  await machine.advance(1);
  assert.equal(posts.length, 1);
});

test("a tick that was due before the page was loaded is posted at once, and one in some months when it is due", async () => {
  const { machine, posts, offer } = ticking();
  await machine.advance(day);
  offer({ due: 500, node: "n1", send: "lockDue" });
  await machine.advance(0);
  assert.equal(posts.length, 1);
  offer({ due: 100 * day, node: "n1", send: "reminded" });
  await machine.advance(98 * day);
  assert.equal(posts.length, 1);
  await machine.advance(day);
  assert.equal(posts.length, 2);
});

test("after the device has slept, the due ticks are posted before the next action, in their order", async () => {
  const { machine, core, posts, offer, ticks } = ticking();
  const left = [{ due: 500, node: "n1", send: "lockDue" }, { due: 700, node: "n2", send: "reminded" }, { due: day, node: "n3" }];
  core.posting.post = async (path, { send }) => {
    posts.push(send);
    left.shift();
    offer(left[0]);
  };
  offer(left[0]);
  machine.sleep(800);
  assert.deepEqual(posts, []);
  ticks.catchUp();
  assert.deepEqual(posts, ["lockDue", "reminded"]);
  await machine.advance(0);
  assert.equal(posts.length, 2);
  ticks.close();
});

test("a tick that stays due is posted once, and none that is gone or that a full outbox has no place for", async () => {
  const { machine, core, posts, offer, ticks } = ticking();
  const tick = { due: 500, node: "n1", send: "lockDue" };
  offer(tick);
  await machine.advance(500);
  offer({ ...tick });
  await machine.advance(day);
  assert.equal(posts.length, 1);
  offer({ due: day + 600, node: "n2" });
  offer(undefined);
  assert.deepEqual(machine.due, []);
  core.outbox.size = 1_000;
  offer({ due: 2 * day, node: "n2" });
  await machine.advance(2 * day);
  offer({ due: 9 * day, node: "n2" });
  ticks.close();
  assert.deepEqual([posts.length, machine.due], [1, []]);
});

test("an app that was left without a network locks a day later, after a crash of its page, and the lock stays", async () => {
  const device = new Device(service.url);
  const page = device.page();
  const session = await page.start({ app: "safe" });
  await device.ready(session.id);
  device.isOnline = false;
  session.step("opened").catch(() => {});
  session.appState("background").catch(() => {});
  await device.disk.until(() => device.stored(session.id)?.pending.length === 2);
  page.kill();
  await device.machine.advance(day);
  const next = await device.page().connect({ id: session.id, secret: session.secret });
  await until(next, ({ predicts }) => predicts);
  await device.machine.advance(0);
  await until(next, ({ visible }) => visible.screen === "pin");
  await device.disk.until(() => device.stored(session.id)?.pending.length === 3);
  await device.goOnline();
  await until(next, ({ waiting }) => waiting === 0);
  assert.equal(next.visible.screen, "pin");
  next.close();
});

test("a device that has slept locks before its app is in the foreground again", async () => {
  const device = new Device(service.url);
  const session = await device.page().start({ app: "safe" });
  await device.ready(session.id);
  await until(session, ({ predicts }) => predicts);
  device.isOnline = false;
  session.appState("background").catch(() => {});
  device.machine.sleep(day);
  session.appState("foreground").catch(() => {});
  assert.equal(session.visible.screen, "pin");
  session.close();
});

test("an app without a network locks while its page is open", async () => {
  const device = new Device(service.url);
  const session = await device.page().start({ app: "safe" });
  await device.ready(session.id);
  await until(session, ({ predicts }) => predicts);
  device.isOnline = false;
  session.appState("background").catch(() => {});
  await device.machine.advance(2 * minute - 1);
  assert.equal(session.visible.screen, "home");
  await device.machine.advance(1);
  assert.equal(session.visible.screen, "pin");
  session.close();
});

test("an app that was started and left without a network is still locked when the service has created its session", async () => {
  const device = new Device(service.url);
  const first = await device.page().start({ app: "safe" });
  await device.ready(first.id);
  first.close();
  device.isOnline = false;
  const session = await device.page().start({ app: "safe" });
  const taps = [session.step("opened"), session.appState("background")];
  await device.machine.advance(60 * minute);
  assert.equal(session.visible.screen, "pin");
  await device.goOnline();
  await Promise.all(taps);
  await until(session, ({ waiting, isLocal }) => waiting === 0 && !isLocal);
  const { entries } = await session.history({ after: 1 });
  assert.deepEqual(entries.map(({ action }) => action.step ?? action.type), ["opened", "appState", "tick"]);
  assert.equal(session.visible.screen, "pin");
  assert.ok(Date.parse(entries[2].at) - Date.parse(entries[1].at) >= 2 * minute);
  session.close();
});
