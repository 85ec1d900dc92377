import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { ManualMachine, settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { operatorKey, predictable, startService, until } from "../testing/service.js";
import { predicting, put, screens, trip } from "../testing/trip.js";

let service;
before(async () => {
  service = await startService({ ...predictable, TRIP_PLAN: "gold" });
  await put(service, "trip", trip);
});
after(() => service.stop());

/** A session that predicts, on a manual clock, whose network a test switches. */
async function offline(app = "trip") {
  const machine = new ManualMachine();
  const { timers, now, network } = machine;
  const made = await predicting(service, { app, timers, now, network });
  const goAway = () => { [machine.network.isOnline, made.network.isAway] = [false, true]; };
  const comeBack = () => { made.network.isAway = false; return machine.goOnline(); };
  return { ...made, machine, goAway, comeBack };
}

const show = (session, n) => session.act({ step: "show", params: { n } });

test("without a network, what can be predicted is shown and waits, and the rest fails at once", async () => {
  const { session, network, machine, goAway, comeBack } = await offline();
  goAway();
  const taps = [show(session, 1), show(session, 2)];
  assert.equal(screens(session), "home page1 page2");
  // The user sees the new screen.
  await machine.advance(16);
  await assert.rejects(session.step("ask"), { code: "offline" });
  await assert.rejects(session.step("enter", { pin: "1" }), { code: "offline" });
  await assert.rejects(session.act({ step: "enter", params: { pin: "1" } }, { queue: true }), { code: "offline" }, "a secret never waits");
  await assert.rejects(session.token("a-token", { queue: true }), { code: "offline" });
  await assert.rejects(session.act({ type: "push", screen: "safe", params: { pin: "1" } }, { queue: true }), { code: "offline" }, "neither in a primitive");
  await assert.rejects(session.act([{ type: "back" }, { step: "enter", params: { pin: "1" } }], { queue: true }), { code: "offline" }, "nor in an array");
  taps.push(session.back());
  assert.equal(screens(session), "home page1");
  const queued = session.act({ step: "ask" }, { queue: true });
  taps.push(show(session, 3));
  assert.equal(screens(session), "home page1", "a step waits behind an action that cannot be predicted");
  taps.push(session.back());
  assert.equal(screens(session), "home", "a gesture does not");
  assert.equal(session.getSnapshot().waiting, 6);
  assert.equal(network.posts.length, 1);
  await comeBack();
  const answers = await Promise.all([...taps.slice(0, 3), queued, ...taps.slice(3)]);
  assert.deepEqual(answers.map(({ revision }) => revision), [2, 3, 4, 5, 6, 7]);
  assert.equal(screens(session), "home page1 offer");
  session.close();
});

test("while the network is there, steps wait for 2 s behind an action that cannot be predicted", async () => {
  const { session, network, machine } = await offline();
  network.hold();
  const taps = [session.act({ step: "ask" }), show(session, 1)];
  await machine.advance(1_999);
  assert.equal(screens(session), "home");
  await machine.advance(1);
  assert.equal(screens(session), "home page1");
  network.release();
  await Promise.all(taps);
  assert.equal(screens(session), "home offer page1");
  session.close();
});

test("each wait behind an action that cannot be predicted has its own 2 s", async () => {
  const { session, network, machine } = await offline();
  network.hold();
  const first = [session.act({ step: "ask" }), show(session, 1)];
  await machine.advance(1_900);
  network.release();
  await Promise.all(first);
  await until(session, ({ waiting }) => waiting === 0);
  network.hold();
  const second = [session.act({ step: "ask" }), show(session, 2)];
  await machine.advance(1_999);
  assert.equal(screens(session), "home offer page1");
  await machine.advance(1);
  assert.equal(screens(session), "home offer page1 page2");
  network.release();
  await Promise.all(second);
  session.close();
});

test("500 actions wait, and for at most 7 days", async () => {
  const { session, machine, goAway, comeBack } = await offline();
  goAway();
  const taps = Array.from({ length: 250 }, (_, n) => [show(session, n), session.back()]).flat();
  await assert.rejects(show(session, 500), { code: "outbox-full" });
  assert.equal(session.getSnapshot().waiting, 500);
  assert.equal(screens(session), "home");
  await comeBack();
  assert.equal((await Promise.all(taps)).at(-1).revision, 501);
  goAway();
  const late = show(session, 1);
  await machine.advance(7 * 86_400_000 + 1);
  await assert.rejects(show(session, 2), { code: "outbox-full" });
  await comeBack();
  await late;
  session.close();
});

/** The second version of the app: the step has another name. */
const second = trip.replaceAll("show:", "display:").replaceAll("app: trip", "app: moving");

test("after a migration, what is pending is answered under the old definition, and then the new one predicts", async () => {
  const old = await put(service, "moving", trip.replace("app: trip", "app: moving"));
  const { session, network } = await offline("moving");
  const now = await put(service, "moving", second);
  const operator = (method, path, body, type = "application/json") => fetch(service.url + path, {
    method, headers: { Authorization: `Bearer ${operatorKey}`, "Content-Type": type }, body,
  }).then(async (response) => (response.ok ? undefined : assert.fail(await response.text())));
  await operator("PUT", `/v1/apps/moving/migrations/${old}/${now}`, "steps:\n  show: { to: display }\n", "application/yaml");
  network.hold();
  const taps = [show(session, 1), show(session, 2)];
  assert.equal(screens(session), "home page1 page2");
  await operator("POST", `/v1/sessions/${session.id}/migrate`, JSON.stringify({ to: now }));
  await until(session, ({ predicts }) => !predicts);
  assert.equal(screens(session), "home", "nothing is predicted");
  // The user acts on what the new definition shows.
  const late = session.act({ step: "display", params: { n: 0 } });
  network.release();
  await Promise.all([...taps, late]);
  assert.equal(screens(session), "home page1 page2 page0");
  assert.deepEqual([...new Set(network.posts.slice(1).map(({ body }) => body.definition))], [old, now]);
  await until(session, ({ predicts }) => predicts);
  network.hold();
  const tap = watched(session.act({ step: "display", params: { n: 3 } }));
  assert.equal(screens(session), "home page1 page2 page0 page3");
  network.release();
  await until(session, ({ waiting }) => waiting === 0);
  await settled();
  assert.equal(tap.state, "done");
  session.close();
});
