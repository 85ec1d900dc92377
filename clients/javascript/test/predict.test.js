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

/** Opens a session with the service's predictions. `seen` has an entry for each notification of a subscriber: `[revision, screens, waiting]`. */
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

/** Returns a response that waits, and a function with which the test sends it. */
function held() {
  let give;
  const given = new Promise((resolve) => { give = resolve; });
  return [() => given, (made) => { give(made); return settled(); }];
}

test("a predicted tap is shown immediately, and its response keeps the same tree and stack objects", async () => {
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

test("if the event of an action arrives before its response, the change is applied only once", async () => {
  const [post, give] = held();
  const { session: one, seen, live } = await predicted(post);
  const tap = one.step("detailIsPicked");
  live.event("change", { ...pushed(), predictions: [back] }, 2);
  await settled();
  await give(answer({ ...pushed(), predictions: [back] }));
  await tap;
  assert.deepEqual(seen, [[1, "home,detail", 1], [2, "home,detail", 1], [2, "home,detail", 0]]);
});

test("a refusal undoes the shown prediction in one change", async () => {
  const [post, give] = held();
  const { session: one, seen } = await predicted(post);
  const before = one.tree;
  const tap = one.step("detailIsPicked");
  give(problem(409, "not-accepted"));
  await assert.rejects(tap, { code: "not-accepted" });
  assert.deepEqual(seen, [[1, "home,detail", 1], [1, "home", 0]]);
  assert.equal(one.tree, before);
});

test("a response that differs from the prediction corrects the tree in one change", async () => {
  const [post, give] = held();
  const { session: one, seen } = await predicted(post);
  const tap = one.step("detailIsPicked");
  await give(answer({ outcome: "performed", revision: 2, events: [], changes: [{ op: "select", in: "n0", index: 1 }] }));
  await tap;
  assert.deepEqual(seen, [[1, "home,detail", 1], [2, "list", 0]]);
});

test("another client's change replaces the shown prediction, until the response arrives", async () => {
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

test("a tap that waits for another one is shown as soon as the first one has its response", async () => {
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

test("a step of another screen has no prediction, and is shown after its response", async () => {
  const [post, give] = held();
  const { session: one, seen } = await predicted(post);
  const tap = one.act({ step: "detailIsPicked", from: "n5" });
  assert.deepEqual(seen, [[1, "home", 1]]);
  await give(answer(pushed()));
  await tap;
  assert.deepEqual(seen.slice(1), [[2, "home,detail", 0]]);
});

test("a prediction for another revision, or one that does not fit the tree, is not shown", async () => {
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

test("a prepared step is shown immediately, and prepare returns the errors of refused actions", async () => {
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

test("a reset for a reader of events does not contain predictions", async () => {
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

test("each read requests predictions with predict: true, and no read does otherwise", async () => {
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

test("with a running service, each predicted tap is shown before its response, which does not change the tree", async () => {
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

test("with a running service, a step that is bound to a predicted screen is stale if the service does not create that screen", async () => {
  const one = await start({ baseURL: service.url, app: "delivery", predict: true });
  const other = await connect({ baseURL: service.url, id: one.id, secret: one.secret });
  await other.select(1);
  // The first client has not received this change. It predicts a modal, and its second tap is on that modal.
  const taps = [one.step("checkoutRequested", undefined, { ifMatch: true }), one.step("phoneEntered", { phone: "1" })];
  await assert.rejects(taps[0], { code: "revision-mismatch" });
  assert.deepEqual([(await taps[1]).outcome, (await taps[1]).reason], ["stale", "dismissed"]);
});
