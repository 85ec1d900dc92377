import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { settled } from "../testing/manual-machine.js";
import { opened, watched } from "../testing/opened.js";
import { answer, problem, pushed, session } from "../testing/scripted-service.js";
import { startService, until } from "../testing/service.js";

let service;
before(async () => { service = await startService(); });
after(() => service.stop());

test("a step is bound to the screen that was visible at the call", async () => {
  const { session: one, service: scripted } = await opened({}, answer(pushed()), problem(409, "hidden", {}, { revision: 2 }));
  const [first, second] = [one.step("detailIsPicked"), one.step("detailIsPicked")].map(watched);
  await settled();
  assert.deepEqual(scripted.posts.map(([body]) => body.from), ["n2", "n2"]);
  assert.equal(first.value.outcome, "performed");
  assert.deepEqual([second.state, second.value.outcome, second.value.reason], ["done", "stale", "hidden"]);
  assert.deepEqual([second.value.events, second.value.changes, second.value.problem.code], [[], [], "hidden"]);
  assert.equal(one.revision, 2);
});

test("a step whose screen another client dismissed is stale, and the client reads the session", async () => {
  const later = session(5);
  const { session: one } = await opened({}, problem(409, "dismissed", {}, { revision: 5 }), answer(later));
  const { outcome, reason } = await one.step("detailIsPicked");
  assert.deepEqual([outcome, reason, one.revision], ["stale", "dismissed", 5]);
});

test("a step with a screen's id in from is rejected if the screen is hidden", async () => {
  const { session: one, service: scripted } = await opened({}, problem(409, "hidden"));
  await assert.rejects(one.step("detailIsPicked", {}, { from: "n5" }), { code: "hidden" });
  assert.equal(scripted.posts[0][0].from, "n5");
});

test("a step with a node in from is bound to that node, even if it is not visible", async () => {
  const { session: one, service: scripted } = await opened({}, problem(409, "hidden", {}, { revision: 1 }), problem(409, "not-in-contract"));
  const list = one.tree.children[1].children[0];
  const { outcome, reason } = await one.step("rowIsPicked", { row: 3 }, { from: list });
  assert.deepEqual([outcome, reason], ["stale", "hidden"]);
  await assert.rejects(one.step("rowIsPicked", {}, { from: list }), { code: "not-in-contract" });
  assert.deepEqual(scripted.posts.map(([body]) => body), [{ step: "rowIsPicked", params: { row: 3 }, from: "n5" }, { step: "rowIsPicked", from: "n5" }]);
});

test("with from: null, the request names no screen, and the service chooses it", async () => {
  const { session: one, service: scripted } = await opened({}, problem(409, "hidden"));
  await assert.rejects(one.step("badgeChanged", {}, { from: null }), { code: "hidden" });
  assert.deepEqual(scripted.posts[0][0], { step: "badgeChanged" });
});

test("a step is rejected for any other refusal", async () => {
  const { session: one } = await opened({}, problem(409, "not-in-contract"));
  await assert.rejects(one.step("detailIsPicked"), { code: "not-in-contract" });
});

test("a step is not bound if two panes are visible", async () => {
  const leaf = (id) => ({ id, kind: "screen", name: id });
  const split = { id: "n0", kind: "split", name: "app", children: [leaf("n1"), leaf("n2")] };
  const { session: one, service: scripted } = await opened({ whole: answer(session(1, { tree: split })) }, answer({ outcome: "unchanged", changes: [], events: [] }));
  await one.step("rowIsPicked");
  assert.equal(scripted.posts[0][0].from, undefined);
});

test("with a running service, a double tap opens one product", async () => {
  const one = await start({ baseURL: service.url, app: "shop", accessToken: "t" });
  const [from] = one.tree.children;
  const taps = [one.step("productIsPicked", { productId: 7 }, { from }), one.step("productIsPicked", { productId: 7 }, { from })];
  const [first, second] = await Promise.all(taps);
  assert.deepEqual([first.outcome, second.outcome, second.reason], ["performed", "stale", "hidden"]);
  assert.deepEqual(one.stack.map((route) => route.screen).filter((screen) => screen === "product"), ["product"]);
});

test("a tap on a screen that another client covered is stale, and shows the current tree", async () => {
  // With an engine, the tap may be shown before the service refuses it; then it is rejected, not stale.
  const one = await start({ baseURL: service.url, app: "delivery", predict: false });
  const other = await connect({ baseURL: service.url, id: one.id, secret: one.secret });
  await other.step("restaurantPicked", { restaurantId: 4 });
  const tap = await one.step("restaurantPicked", { restaurantId: 9 });
  assert.deepEqual([tap.outcome, one.visible.screen, one.visible.params.restaurantId], ["stale", "restaurant", 4]);
});

test("a double tap that closes an alert is performed once", async () => {
  const one = await start({ baseURL: service.url, app: "delivery", accessToken: "t" });
  const leave = one.subscribe(() => {});
  await until(one, (snapshot) => snapshot.connection === "live");
  await one.step("restaurantPicked", { restaurantId: 4 });
  await one.step("checkoutRequested");
  await one.back();
  assert.equal(one.visible.screen, "discard");
  const from = { id: one.visible.id, name: one.visible.screen };
  const [first, second] = await Promise.all([one.step("discardDeclined", {}, { from }), one.step("discardDeclined", {}, { from })]);
  assert.deepEqual([first.outcome, second.outcome], ["performed", "stale"]);
  leave();
});
