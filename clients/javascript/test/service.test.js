import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, play, routesOf, start } from "../src/node.js";
import { operatorKey, startService, until } from "../testing/service.js";

let service;
before(async () => { service = await startService(); });
after(() => service.stop());

test("a session is started, walked through, and ended", async () => {
  const session = await start({ baseURL: service.url, app: "delivery" });
  assert.equal(session.visible.screen, "restaurantList");
  await session.step("restaurantIsPicked", { restaurantId: 4 });
  assert.deepEqual(session.visible.params, { restaurantId: 4 });
  assert.deepEqual(session.accepts.steps.map((one) => one.step), ["checkoutIsRequired", "dishIsPicked"]);
  const answer = await session.open("eat://orders/7");
  assert.equal(answer.outcome, "pending");
  assert.equal(session.pending[0].kind, "link");
  assert.equal(session.visible.screen, "phone");
  await session.step("phoneIsEntered", { phone: "1" });
  await session.token("a-token");
  assert.equal(session.visible.screen, "tracking");
  assert.equal(session.facts.accessToken, true);
  assert.equal((await session.at(1)).visible.screen, "restaurantList");
  assert.equal((await session.history({ after: 1, limit: 1 })).entries[0].revision, 2);
  await session.end();
  assert.equal(session.getSnapshot().over, "deleted");
  await assert.rejects(connect({ baseURL: service.url, id: session.id, secret: session.secret }), { code: "unauthorized" });
});

test("a notification, a select, a pop and an array", async () => {
  const session = await start({ baseURL: service.url, app: "delivery", accessToken: "t" });
  await session.notify({ aps: { alert: "On its way", category: "order" }, data: { order_id: 7 } }, { state: "background" });
  assert.equal(session.visible.screen, "tracking");
  await session.pop();
  assert.equal(session.visible.screen, "order");
  await session.act([{ type: "select", tab: 0 }, { step: "restaurantIsPicked", params: { restaurantId: 1 } }]);
  assert.equal(session.visible.screen, "restaurant");
  await session.back();
  assert.equal(session.visible.screen, "restaurantList");
});

test("a refusal says what is accepted, a mistake where it is", async () => {
  const session = await start({ baseURL: service.url, app: "delivery" });
  await assert.rejects(session.step("slotIsPicked", { slot: "now" }), (error) => error.code === "not-in-contract" && error.accepts.steps.length > 0);
  await assert.rejects(session.step("restaurantIsPicked", { restaurantId: "x" }), (error) => error.errors[0].pointer === "#/params/restaurantId");
  await assert.rejects(session.back({ ifMatch: 99 }), { code: "revision-mismatch", status: 412 });
});

test("an operator's key takes the place of a secret", async () => {
  const session = await start({ baseURL: service.url, app: "delivery", credential: operatorKey, clock: "manual" });
  const operated = await connect({ baseURL: service.url, id: session.id, secret: operatorKey });
  await operated.step("restaurantIsPicked", { restaurantId: 4 });
  await session.advance("1s");
  assert.equal(session.revision, operated.revision + 1);
});

// What moves through every app that is shipped, drawn by lot: the second reader of docs/changes.md beside the project's in Python.
const apps = ["delivery", "bank", "shop", "rxflow-demo", "load-studies", "qiita", "flow-controller-push", "flow-controller-modal"];

for (const app of apps) {
  test(`random walks through ${app}: the played tree is the service's`, async () => {
    const chance = lot(app.length * 7919);
    const session = await start({ baseURL: service.url, app, credential: operatorKey, clock: "manual", requests: "manual" });
    const plain = await connect({ baseURL: service.url, id: session.id, secret: operatorKey });
    for (let turn = 0; turn < 60; turn += 1) {
      const { tree } = plain;
      const action = drawn(chance, plain);
      const answer = await plain.act(action).catch((error) => assert.equal(error.name, "CairnProblem"));
      if (answer === undefined) continue;
      const whole = await plain.at(answer.revision);
      assert.deepEqual(play(tree, answer.changes), whole.tree, JSON.stringify(action));
      assert.deepEqual(routesOf(whole.tree), whole.stack.map(({ flow, ...route }) => route), JSON.stringify(action));
      assert.equal(plain.visible?.id, whole.visible?.id);
      assert.deepEqual(plain.tree, (await plain.at(plain.revision)).tree);
    }
    await session.end();
  });
}

/** Numbers below a bound, the same at each run. */
function lot(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

function drawn(chance, session) {
  const words = ["text", "one", "two"];
  const value = (type) => ({ integer: chance(4), number: chance(4), boolean: chance(2) === 1 })[type] ?? (type.in ?? words)[chance(3)] ?? "text";
  const steps = session.accepts.steps.map(({ step, params }) => () => ({
    step, params: Object.fromEntries(Object.entries(params).map(([name, type]) => [name, value(type)])),
  }));
  const gestures = [
    () => ({ type: "back" }), () => ({ type: "pop" }), () => ({ type: "dismiss" }), () => ({ type: "select", tab: chance(3) }),
    () => ({ type: "token", accessToken: "t" }), () => ({ type: "logout" }), () => ({ type: "advance", by: "1s" }), () => ({ type: "popToRoot" }),
  ];
  const from = steps.length > 0 && chance(3) > 0 ? steps : gestures;
  return from[chance(from.length)]();
}
