import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, sessions } from "../src/node.js";
import { Device } from "../testing/device.js";
import { ManualMachine, settled } from "../testing/manual-machine.js";
import { opened, watched } from "../testing/opened.js";
import { answer, popped, problem, pushed, session, stream } from "../testing/scripted-service.js";
import { predictable, startService, until } from "../testing/service.js";
import { other, predicting, put, screens } from "../testing/trip.js";

const shows = (one, wanted) => until(one, (snapshot) => screens(snapshot) === wanted);

/** An app in which an office presents an alarm and an urgent call above the technician's screens. */
const office = `
app: office
language: 1
compat: { unhandled: parent, emits: any }
root: { flow: main }
screens: { list: {}, form: {}, sent: {}, alarm: {}, urgent: {}, lock: {} }
steps: { formIsRequired: {}, formIsSent: {}, alarmed: {}, sealed: {}, raised: {}, lockIsDue: {} }
flows:
  main:
    stack: list
    handle:
      formIsRequired: { push: form }
      formIsSent: { push: sent }
      alarmed: { present: alarm }
      sealed: { present: alarm, sealed: true }
      raised: { present: urgent, level: 5 }
      lockIsDue: { push: lock, guard: true }
`;

let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "office", office);
});
after(() => service.stop());

/**
 * Starts a session that predicts, with a network that the test switches off (`goAway`) and on (`comeBack`). `rejected` has the name and the code of each
 * rejected action.
 */
async function technician(options = {}) {
  const machine = new ManualMachine();
  const { timers, now, network } = machine;
  const rejected = [];
  const made = await predicting(service, { app: "office", timers, now, network, onRejected: ({ action, code }) => rejected.push([action.step ?? action.type, code]), ...options });
  const goAway = () => { [machine.network.isOnline, made.network.isAway] = [false, true]; };
  const comeBack = () => { made.network.isAway = false; return machine.goOnline(); };
  return { ...made, machine, rejected, goAway, comeBack };
}

// MARK: Waiting actions

test("actions that waited for the network run under screens that the user had not seen, such as an alarm or a call, and dismiss none of them", async () => {
  const { session, rejected, goAway, comeBack } = await technician();
  const two = await other(service, session);
  await session.step("formIsRequired");
  goAway();
  const taps = [session.step("formIsSent"), session.back(), session.back(), session.popToRoot(), session.dismiss()].map(watched);
  await settled();
  assert.equal(screens(session), "list");
  await two.act({ step: "alarmed" });
  await two.act({ step: "raised" });
  await comeBack();
  await until(session, ({ waiting }) => waiting === 0);
  await shows(session, "list alarm urgent");
  await Promise.all(taps.map(({ end }) => end));
  assert.deepEqual([rejected, taps.slice(0, 3).map(({ value }) => value.outcome)], [[], Array(3).fill("performed")]);
  assert.deepEqual(taps.slice(3).map(({ value }) => [value.outcome, value.reason]), [["unchanged", "at-root"], ["unchanged", "nothing-presented"]]);
  for (const one of [session, two]) one.close();
});

test("a gesture on the predicted screen of a refused step is refused too, and the screen below remains", async () => {
  const { session, goAway, comeBack } = await technician();
  const two = await other(service, session);
  await session.step("formIsRequired");
  goAway();
  const [step, back] = [session.step("formIsSent"), session.back()].map(watched);
  assert.equal(screens(session), "list form");
  await two.act({ step: "sealed" });
  await two.back({ from: null });
  await two.act({ step: "sealed" });
  await comeBack();
  await until(session, ({ waiting }) => waiting === 0);
  await Promise.all([step.end, back.end]);
  assert.deepEqual([step.reason?.code, back.reason?.code], ["hidden", "dismissed"]);
  await shows(session, "list form alarm");
  for (const one of [session, two]) one.close();
});

test("without a network, a gesture without effect is rejected or unchanged immediately, and is not posted later", async () => {
  const { session, rejected, network, goAway, comeBack } = await technician();
  await session.step("lockIsDue");
  const count = network.posts.length;
  goAway();
  await assert.rejects(session.back(), ({ code, detail }) => code === "guarded" && detail.includes("lock"));
  await assert.rejects(session.popToRoot(), { code: "guarded" });
  assert.equal((await session.dismiss()).reason, "nothing-presented");
  assert.deepEqual([rejected, session.getSnapshot().waiting], [[["back", "guarded"], ["popToRoot", "guarded"]], 0]);
  await comeBack();
  assert.equal(network.posts.length, count);
  session.close();
});

// MARK: Binding

test("a step right after a back or a push is bound to the screen that is shown then", async () => {
  const { session, rejected } = await technician();
  const answers = await Promise.all([session.step("formIsRequired"), session.step("formIsSent"), session.back(), session.step("formIsSent"), session.back(), session.back()]);
  assert.deepEqual(answers.map(({ outcome }) => outcome), Array(6).fill("performed"));
  assert.deepEqual([screens(session), rejected], ["list", []]);
  session.close();
});

test("the second tap of a double tap is stale immediately, is not posted, and does not call onRejected", async () => {
  const { session, rejected, network } = await technician();
  const from = session.tree.children[0];
  const count = network.posts.length;
  const [first, second] = await Promise.all([session.step("formIsRequired", {}, { from }), session.step("formIsRequired", {}, { from })]);
  assert.deepEqual([first.outcome, second.outcome, second.reason, second.problem.code], ["performed", "stale", "hidden", "hidden"]);
  assert.deepEqual([network.posts.length - count, rejected, session.getSnapshot().waiting], [1, [], 0]);
  const page = session.tree.children[1];
  const backs = await Promise.all([session.back({ from: page }), session.back({ from: page })]);
  assert.deepEqual([backs.map(({ outcome }) => outcome), screens(session)], [["performed", "stale"], "list"]);
  session.close();
});

test("without an engine, the second tap of a double tap is also stale, and does not call onRejected", async () => {
  const rejected = [];
  const { session: one, service: scripted } = await opened({ onRejected: ({ code }) => rejected.push(code) }, answer(pushed()), problem(409, "hidden"), answer(popped()), problem(409, "dismissed"));
  assert.deepEqual((await Promise.all([one.step("detailIsPicked"), one.step("detailIsPicked")])).map(({ outcome }) => outcome), ["performed", "stale"]);
  assert.deepEqual((await Promise.all([one.back(), one.back()])).map(({ outcome, reason }) => [outcome, reason]), [["performed", undefined], ["stale", "dismissed"]]);
  assert.deepEqual(scripted.posts.map(([{ from }]) => from), ["n2", "n2", "n4", "n4"]);
  assert.deepEqual(rejected, []);
});

test("a shown action that is undone is rejected, and passed to onRejected", async () => {
  const { session, network, rejected } = await technician();
  const two = await other(service, session);
  network.hold();
  const tap = watched(session.step("formIsRequired"));
  assert.equal(screens(session), "list form");
  await two.act({ step: "sealed" });
  network.release();
  await until(session, ({ waiting }) => waiting === 0);
  await settled();
  assert.deepEqual([tap.reason?.code, rejected, screens(session)], ["hidden", [["formIsRequired", "hidden"]], "list alarm"]);
  for (const one of [session, two]) one.close();
});

test("a tap on another tab is valid, whichever tab is selected when it arrives, and pops no screen of a tab that is already selected", async () => {
  const one = await predicting(service, { app: "delivery" });
  const two = await other(service, one.session);
  one.network.hold();
  const tap = one.session.select(1);
  await two.select(1);
  await two.select(2);
  one.network.release();
  assert.deepEqual([(await tap).outcome, one.session.visible.screen], ["performed", "orderList"]);
  await two.refresh();
  one.network.hold();
  const late = one.session.select(0);
  await two.select(0);
  await two.step("restaurantPicked", { restaurantId: 4 });
  one.network.release();
  assert.equal((await late).reason, "already-selected");
  await two.refresh();
  assert.deepEqual(two.stack.map(({ screen }) => screen), ["restaurantList", "restaurant"], "the tap did not act as a tap on the selected tab");
  for (const session of [one.session, two]) session.close();
});

test("`from` and `node` accept an id, a node of the tree or a route; any other value is rejected with a message that lists these", async () => {
  const same = () => answer({ outcome: "unchanged", revision: 1, changes: [], events: [] });
  const { session: one, service: scripted } = await opened({}, same(), same(), same(), same());
  const list = one.tree.children[1].children[0];
  await one.act({ type: "pop", node: list });
  await one.act({ type: "pop", node: { key: "n5", name: "list" } });
  await one.pop(list, { from: "n5" });
  await one.act({ type: "dismiss", node: null, from: null });
  assert.deepEqual(scripted.posts.map(([body]) => body), [
    { type: "pop", node: "n5", from: "n2" }, { type: "pop", node: "n5", from: "n2" }, { type: "pop", node: "n5", from: "n5" }, { type: "dismiss", from: "n2" },
  ]);
  for (const node of ["list-x1Yz", { key: "list-x1Yz", name: "list" }, 7, {}]) {
    await assert.rejects(one.act({ type: "pop", node }), ({ code, detail }) => code === "invalid" && detail.startsWith("`node` must be") && detail.includes("session.idOf(route.key)"));
  }
  assert.equal(scripted.posts.length, 4);
});

// MARK: The network

test("taps are posted while the service responds, even if the platform reports no network", async () => {
  const { session: one, machine, service: scripted } = await opened({ whole: async () => answer(session()), network: { isOnline: false } }, answer(pushed()));
  assert.equal((await one.step("detailIsPicked")).outcome, "performed");
  assert.equal(scripted.posts.length, 1);
  assert.equal(machine.due.length, 0);
});

test("waiting posts are sent when a stream receives bytes, even if the platform reports no network", async () => {
  const live = stream();
  const { session: one, machine, service: scripted } = await opened({}, live.answer, answer(pushed()));
  one.subscribe(() => {});
  await settled();
  machine.network.isOnline = false;
  const tap = watched(one.step("detailIsPicked"));
  await settled();
  assert.deepEqual([tap.state, scripted.posts.length], ["waiting", 0]);
  live.write(":\n\n");
  await settled();
  assert.deepEqual([tap.state, tap.value?.outcome], ["done", "performed"]);
  one.close();
});

test("a post that fails while the platform reports no network waits for the network", async () => {
  const live = stream();
  const failure = () => { throw new TypeError("fetch failed"); };
  const { session: one, machine, service: scripted } = await opened({}, live.answer, failure, answer(pushed()));
  one.subscribe(() => {});
  await settled();
  machine.network.isOnline = false;
  live.write(":\n\n");
  await settled();
  const tap = watched(one.step("detailIsPicked"));
  await machine.advance(40_000);
  assert.deepEqual([tap.state, scripted.posts.length], ["waiting", 1]);
  one.close();
});

// MARK: Kept sessions

test("`sessions` lists the stored sessions of a service, and `resume` opens one of them by its id", async () => {
  const device = new Device(service.url);
  const made = [];
  for (const label of ["first", "second"]) {
    const page = device.page({ remember: true });
    const one = await page.start({ app: "office", label });
    await device.ready(one.id);
    await device.machine.advance(1000);
    made.push(one);
    if (label === "first") {
      device.isOnline = false;
      one.step("formIsRequired").catch(() => {});
      await device.disk.until(() => device.stored(one.id)?.pending.length === 1);
      device.isOnline = true;
    }
    page.kill();
  }
  const kept = await sessions(device.page().options);
  const byId = Object.fromEntries(kept.map((one) => [one.id, one]));
  assert.deepEqual(kept.map(({ id }) => id).sort(), made.map(({ id }) => id).sort());
  assert.deepEqual(made.map(({ id }) => [byId[id].app, byId[id].label, byId[id].waiting, byId[id].isLocal, byId[id].isRemembered]), [
    ["office", "first", 1, false, true], ["office", "second", 0, false, true],
  ]);
  assert.ok(kept[0].at >= kept[1].at);
  const again = await device.page().resume({ id: made[0].id });
  await until(again, ({ waiting }) => waiting === 0);
  assert.deepEqual([again.id, again.stack.map(({ screen }) => screen)], [made[0].id, ["list", "form"]]);
  again.close();
  assert.deepEqual(await sessions(new Device(service.url).page().options), []);
});

for (const hasRefused of [true, false]) {
  test(`after a restart, a refusal is passed once, to ${hasRefused ? "onRefused" : "onRejected if there is no onRefused"}`, async () => {
    const device = new Device(service.url);
    const page = device.page();
    const one = await page.start({ app: "office" });
    await device.ready(one.id);
    device.isOnline = false;
    one.step("formIsRequired").catch(() => {});
    await device.disk.until(() => device.stored(one.id)?.pending.length === 1);
    page.kill();
    const two = await connect({ baseURL: service.url, id: one.id, secret: one.secret, predict: false });
    await two.act({ step: "sealed" });
    two.close();
    const heard = [];
    const given = hasRefused ? { onRefused: (problem, { body }) => heard.push(["refused", body.step, problem.code]) } : {};
    const next = await device.page().connect({ id: one.id, secret: one.secret, onRejected: ({ action, code }) => heard.push(["rejected", action.step, code]), ...given });
    await device.goOnline();
    await until(next, ({ waiting }) => waiting === 0);
    await settled();
    assert.deepEqual(heard, [[hasRefused ? "refused" : "rejected", "formIsRequired", "hidden"]]);
    next.close();
  });
}
