import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect } from "../src/node.js";
import { Post } from "../src/post.js";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { opened, watched } from "../testing/opened.js";
import { answer, popped, pushed } from "../testing/scripted-service.js";
import { predictable, startService, until } from "../testing/service.js";
import { put } from "../testing/trip.js";

const hour = 3_600_000;

/** An app that locks itself after an absence of two minutes. */
const vault = `
app: vault
language: 1
root: main
screens: { home: , pin: { emits: [pinAccepted] } }
rules: [{ when: { fact: away, over: 2m }, send: lockDue }]
flows:
  main:
    stack: home
    handle:
      lockDue: [{ when: { not: { screen: pin } }, do: { present: pin, level: 9, guard: true, sealed: true } }]
      pinAccepted: dismiss
`;

let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "vault", vault);
});
after(() => service.stop());

/** Returns the entries after the first one, as another client reads them. */
async function history({ id, secret }) {
  const other = await connect({ baseURL: service.url, id, secret, predict: false });
  return (await other.history({ after: 1 })).entries;
}

test("an app that was away without a network locks at once, even after a crash of its page, and the lock stays", async () => {
  // The clock of the device shows a time in 1970.
  const device = new Device(service.url);
  const page = device.page();
  const session = await page.start({ app: "vault" });
  await device.ready(session.id);
  device.isOnline = false;
  session.appState("background").catch(() => {});
  await device.disk.until(() => device.stored(session.id)?.pending.length === 1);
  page.kill();
  await device.machine.advance(hour);
  const next = await device.page().connect({ id: session.id, secret: session.secret });
  await until(next, ({ predicts }) => predicts);
  next.appState("foreground").catch(() => {});
  await until(next, ({ visible }) => visible.screen === "pin");
  const shown = [];
  next.subscribe(() => { shown.push(next.visible.screen); });
  await device.goOnline();
  await until(next, ({ waiting }) => waiting === 0);
  assert.deepEqual([...new Set(shown), next.getSnapshot().facts.away], ["pin", hour]);
  const [left, back] = await history(session);
  assert.ok(left.at <= back.at && back.at <= back.receivedAt && left.receivedAt <= back.receivedAt);
  // By the service's clock, the first action happened before the creation of the session.
  assert.ok(Date.parse(back.at) - Date.parse(left.at) >= hour);
  next.close();
});

for (const [name, clock, posted] of [["before 1970", -5, 0], ["after the year 9999", 9e15, 253_402_300_799_999], ["between two milliseconds", 7.5, 7]]) {
  test(`a clock that is ${name} posts the nearest time that the service accepts`, async () => {
    let give;
    const first = () => new Promise((resolve) => { give = () => resolve(answer(pushed())); });
    const answers = { revision: 4, answers: [{ number: 1, ...popped(3) }, { number: 2, ...pushed(4) }] };
    const { session, service: scripted } = await opened({ now: () => clock }, first, answer(answers));
    const taps = [session.step("one"), session.pop(), session.act({ step: "two" })].map(watched);
    await settled();
    give();
    await settled();
    const [, [{ now, actions }]] = scripted.posts;
    assert.deepEqual([now, ...actions.map(({ at }) => at)], [posted, posted, posted]);
    assert.deepEqual(taps.map(({ state }) => state), ["done", "done", "done"]);
  });
}

test("a post keeps its time in the stores, so that it is repeated as it was", () => {
  const machine = { now: () => 9, newKey: () => "key-1" };
  const post = new Post({ path: "/v1/sessions/s1/actions", body: { type: "back" }, at: 7 }, machine);
  assert.equal(post.stored.at, 7);
  assert.equal(new Post(post.stored, machine).at, 7);
});
