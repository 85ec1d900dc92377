import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { settled } from "../testing/manual-machine.js";
import { opened } from "../testing/opened.js";
import { answer, popped, problem, pushed, session, stream } from "../testing/scripted-service.js";
import { startService } from "../testing/service.js";

let service;
before(async () => { service = await startService(); });
after(() => service.stop());

const { changes: pushing } = pushed();
const { changes: popping } = popped();
const toDetail = { action: { step: "detailIsPicked" }, changes: pushing, outcome: "performed" };
const back = { action: { type: "back" }, changes: popping, outcome: "performed" };

/** A session whose next actions are predicted, with what was shown at each change: `[revision, screens, waiting]`. */
async function predicted(...answers) {
  const live = stream();
  const whole = answer(session(1, { predictions: [toDetail] }));
  const made = await opened({ predict: true, whole }, live.answer, ...answers);
  const seen = [];
  made.session.subscribe(() => {
    const { revision, stack, waiting } = made.session.getSnapshot();
    seen.push([revision, stack.map(({ screen }) => screen).join(), waiting]);
  });
  await settled();
  seen.length = 0;
  return { ...made, live, seen };
}

/** A post whose answer a test gives when it wants. */
function held() {
  let give;
  const given = new Promise((resolve) => { give = resolve; });
  return [() => given, (made) => { give(made); return settled(); }];
}

test("a predicted tap is shown at once, and its answer changes nothing that is drawn", async () => {
  const [post, give] = held();
  const { session: one, seen, service: scripted } = await predicted(post);
  const tap = one.step("detailIsPicked");
  assert.deepEqual(seen, [[1, "home,detail", 1]]);
  const { tree, stack } = one.getSnapshot();
  await give(answer({ ...pushed(), predictions: [back] }));
  await tap;
  assert.deepEqual(seen, [[1, "home,detail", 1], [2, "home,detail", 0]]);
  assert.equal(one.tree, tree);
  assert.equal(one.stack, stack);
  assert.equal(scripted.calls[2].headers.Prefer, "return=minimal, predict");
  assert.equal("predictions" in one.getSnapshot(), false);
});

test("an own event before the answer is no second step", async () => {
  const [post, give] = held();
  const { session: one, seen, live } = await predicted(post);
  const tap = one.step("detailIsPicked");
  live.event("change", { ...pushed(), predictions: [back] }, 2);
  await settled();
  await give(answer({ ...pushed(), predictions: [back] }));
  await tap;
  assert.deepEqual(seen, [[1, "home,detail", 1], [2, "home,detail", 1], [2, "home,detail", 0]]);
});

test("a refusal takes back what was shown, in one change", async () => {
  const [post, give] = held();
  const { session: one, seen } = await predicted(post);
  const before = one.tree;
  const tap = one.step("detailIsPicked");
  give(problem(409, "not-accepted"));
  await assert.rejects(tap, { code: "not-accepted" });
  assert.deepEqual(seen, [[1, "home,detail", 1], [1, "home", 0]]);
  assert.equal(one.tree, before);
});

test("what comes out otherwise is put right in one change", async () => {
  const [post, give] = held();
  const { session: one, seen } = await predicted(post);
  const tap = one.step("detailIsPicked");
  await give(answer({ outcome: "performed", revision: 2, events: [], changes: [{ op: "select", in: "n0", index: 1 }] }));
  await tap;
  assert.deepEqual(seen, [[1, "home,detail", 1], [2, "list", 0]]);
});

test("another client's change is shown as it is, until the answer comes", async () => {
  const [post, give] = held();
  const { session: one, seen, live } = await predicted(post);
  const tap = one.step("detailIsPicked");
  live.event("change", { outcome: "performed", revision: 2, events: [], changes: [{ op: "select", in: "n0", index: 1 }] }, 2);
  await settled();
  await give(answer(pushed(3)));
  await tap;
  assert.deepEqual(seen, [[1, "home,detail", 1], [2, "list", 1], [3, "list", 0]]);
  assert.equal(one.tree.children[0].children.length, 2);
});

test("a tap behind another one is shown as soon as the first is answered", async () => {
  const [[first, giveFirst], [second, giveSecond]] = [held(), held()];
  const { session: one, seen } = await predicted(first, second);
  const taps = [one.step("detailIsPicked"), one.back()];
  assert.deepEqual(seen, [[1, "home,detail", 1], [1, "home,detail", 2]]);
  await giveFirst(answer({ ...pushed(), predictions: [back] }));
  assert.deepEqual(seen.slice(2), [[2, "home,detail", 1], [2, "home", 1]]);
  await giveSecond(answer(popped()));
  await Promise.all(taps);
  assert.deepEqual(seen.slice(4), [[3, "home", 0]]);
});

test("a tap that is not predicted waits for its answer, also one of another screen", async () => {
  const [post, give] = held();
  const { session: one, seen } = await predicted(post);
  const tap = one.act({ step: "detailIsPicked", from: "n5" });
  assert.deepEqual(seen, [[1, "home", 1]]);
  await give(answer(pushed()));
  await tap;
  assert.deepEqual(seen.slice(1), [[2, "home,detail", 0]]);
});

test("a prediction of another revision, or one that does not fit, is not shown", async () => {
  const [post, give] = held();
  const { session: one, seen, live } = await predicted(post);
  live.event("change", { outcome: "performed", revision: 2, events: [], changes: [], predictions: [
    { ...back, changes: [{ op: "pop", in: "n77", to: "n2" }] }] }, 2);
  await settled();
  seen.length = 0;
  const taps = [one.back(), one.step("detailIsPicked")];
  assert.deepEqual(seen, [[2, "home", 1], [2, "home", 2]]);
  one.close();
  await Promise.all(taps.map((tap) => assert.rejects(tap, { code: "closed" })));
  await give(answer(popped()));
});

test("what is prepared is shown at once, and refusals are left out", async () => {
  const [post, give] = held();
  const action = { step: "rowIsPicked", params: { row: 3, of: "list" } };
  const asked = answer({ revision: 1, predictions: [{ action, changes: pushing, outcome: "performed" }, { error: { code: "invalid" } }] });
  const { session: one, seen, service: scripted } = await predicted(asked, post);
  const predictions = await one.prepare([action, { type: "nothing" }]);
  assert.deepEqual(predictions.map(({ error }) => error?.code), [undefined, "invalid"]);
  assert.deepEqual([scripted.calls[2].url, scripted.calls[2].body.actions.length], ["http://cairn.example/v1/sessions/s1/predictions", 2]);
  const tap = one.step("rowIsPicked", { of: "list", row: 3 });
  assert.deepEqual(seen, [[1, "home,detail", 1]]);
  await give(answer(pushed()));
  await tap;
});

test("readers of events do not see what is only predicted", async () => {
  const [post, give] = held();
  const { session: one, live } = await predicted(post);
  const reader = one.events({ limit: 1 });
  for (const revision of [2, 3]) live.event("change", { outcome: "performed", revision, events: [], changes: [], predictions: [toDetail] }, revision);
  await settled();
  const tap = one.step("detailIsPicked");
  assert.equal(one.stack.length, 2);
  live.event("change", { outcome: "unchanged", revision: 4, events: [], changes: [] }, 4);
  await settled();
  const { value } = await reader.next();
  assert.equal(value.type, "reset");
  assert.deepEqual(value.session.stack.map(({ screen }) => screen), ["home"]);
  await give(answer(pushed(5)));
  await tap;
});

test("predictions are asked for with each read, and only if they are wanted", async () => {
  const asked = async (options) => {
    const live = stream();
    const { session: one, service: scripted } = await opened({ ...options, whole: answer(session()) }, live.answer, answer(session()));
    one.subscribe(() => {});
    await settled();
    await one.refresh();
    return scripted.calls.map((call) => call.headers.Prefer);
  };
  assert.deepEqual(await asked({ predict: true }), ["predict", "predict", "predict"]);
  assert.deepEqual(await asked({}), [undefined, undefined, undefined]);
});

test("over the service each tap that needs no params is shown before it is sent, and as it is confirmed", async () => {
  let shownBefore = 0;
  let differing = 0;
  for (const follow of ["events", "poll"]) {
    const one = await start({ baseURL: service.url, app: "delivery", predict: true, follow });
    const leave = one.subscribe(() => {});
    await one.prepare([{ step: "restaurantPicked", params: { restaurantId: 4 } }]);
    const taps = [
      () => one.select(1), () => one.back(), () => one.select(2), () => one.select(0), () => one.step("checkoutRequested"), () => one.back(),
    ];
    for (const tap of [() => one.step("restaurantPicked", { restaurantId: 4 }), () => one.back(), ...taps, ...taps]) {
      const unchanged = one.tree;
      const answered = tap();
      const shown = one.tree;
      if (shown !== unchanged) shownBefore += 1;
      await answered;
      if (one.tree !== shown) differing += 1;
    }
    const other = await connect({ baseURL: service.url, id: one.id, secret: one.secret });
    assert.deepEqual([one.tree, one.accepts, one.revision], [other.tree, other.accepts, other.revision]);
    leave();
    await one.end();
  }
  assert.deepEqual([shownBefore, differing], [28, 0]);
});

test("over the service a step that is bound to a screen which was only predicted is stale if that screen does not come", async () => {
  const one = await start({ baseURL: service.url, app: "delivery", predict: true });
  const other = await connect({ baseURL: service.url, id: one.id, secret: one.secret });
  await other.select(1);
  // This client has not heard of it. Its prediction is a modal, and its second tap is on that modal.
  const taps = [one.step("checkoutRequested", undefined, { ifMatch: true }), one.step("phoneEntered", { phone: "1" })];
  await assert.rejects(taps[0], { code: "revision-mismatch" });
  assert.deepEqual([(await taps[1]).outcome, (await taps[1]).reason], ["stale", "dismissed"]);
});
