import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { operatorKey, startService } from "../testing/service.js";

let service;
before(async () => { service = await startService(); });
after(() => service.stop());

test("a session is started, navigated to other screens, and ended", async () => {
  const session = await start({ baseURL: service.url, app: "delivery" });
  assert.equal(session.visible.screen, "restaurantList");
  await session.step("restaurantPicked", { restaurantId: 4 });
  assert.deepEqual(session.visible.params, { restaurantId: 4 });
  assert.deepEqual(session.accepts.steps.map((one) => one.step), ["checkoutRequested", "dishPicked"]);
  const answer = await session.open("eat://orders/7");
  assert.equal(answer.outcome, "pending");
  assert.equal(session.pending[0].kind, "link");
  assert.equal(session.visible.screen, "phone");
  await session.step("phoneEntered", { phone: "1" });
  await session.token("a-token");
  assert.equal(session.visible.screen, "tracking");
  assert.equal(session.facts.accessToken, true);
  assert.equal((await session.at(1)).visible.screen, "restaurantList");
  assert.equal((await session.history({ after: 1, limit: 1 })).entries[0].revision, 2);
  await session.end();
  assert.equal(session.getSnapshot().over, "deleted");
  await assert.rejects(connect({ baseURL: service.url, id: session.id, secret: session.secret }), { code: "unauthorized" });
});

test("a session performs a notification, a pop, an array and a back", async () => {
  const session = await start({ baseURL: service.url, app: "delivery", accessToken: "t" });
  await session.notify({ aps: { alert: "On its way", category: "order" }, data: { order_id: 7 } }, { state: "background" });
  assert.equal(session.visible.screen, "tracking");
  await session.pop();
  assert.equal(session.visible.screen, "order");
  await session.act([{ type: "select", tab: 0 }, { step: "restaurantPicked", params: { restaurantId: 1 } }]);
  assert.equal(session.visible.screen, "restaurant");
  await session.back();
  assert.equal(session.visible.screen, "restaurantList");
});

test("a refusal lists the accepted steps, and the error of an invalid param contains its JSON pointer", async () => {
  const session = await start({ baseURL: service.url, app: "delivery" });
  await assert.rejects(session.step("slotPicked", { slot: "now" }), (error) => error.code === "not-in-contract" && error.accepts.steps.length > 0);
  await assert.rejects(session.step("restaurantPicked", { restaurantId: "x" }), (error) => error.errors[0].pointer === "#/params/restaurantId");
  await assert.rejects(session.back({ ifMatch: 99 }), { code: "revision-mismatch", status: 412 });
});

test("an operator key can be used instead of the session's secret", async () => {
  const session = await start({ baseURL: service.url, app: "delivery", credential: operatorKey, clock: "manual" });
  const operated = await connect({ baseURL: service.url, id: session.id, secret: operatorKey });
  await operated.step("restaurantPicked", { restaurantId: 4 });
  await session.advance("1s");
  assert.equal(session.revision, operated.revision + 1);
});
