import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { settled } from "../testing/manual-machine.js";
import { HeldNetwork } from "../testing/held-network.js";
import { watched } from "../testing/opened.js";
import { predictable, startService, until } from "../testing/service.js";
import { live, other, predicting, put, screens, trip } from "../testing/trip.js";

let service;
before(async () => {
  service = await startService({ ...predictable, TRIP_PLAN: "gold" });
  await put(service, "trip", trip);
});
after(() => service.stop());

const show = (session, n) => session.step("show", { n }, { from: session.visible.id });

/** Waits until a session shows these screens. */
const shows = (session, text) => until(session, (snapshot) => screens(snapshot) === text);

test("an action is shown during the call, before it is sent, and its confirmation changes no node", async () => {
  const { session, network, seen } = await predicting(service);
  network.hold();
  const tap = show(session, 1);
  assert.deepEqual(seen, [[1, "home page1", 1]]);
  assert.equal(network.posts.length, 1, "only the creation");
  const { tree, stack } = session.getSnapshot();
  network.release();
  assert.equal((await tap).revision, 2);
  await until(session, ({ revision, waiting }) => revision === 2 && waiting === 0);
  assert.equal(session.tree, tree);
  assert.equal(session.stack, stack);
  assert.ok(seen.every(([, shown]) => shown === "home page1"), JSON.stringify(seen));
  assert.equal(network.posts.length, 2);
  session.close();
});

test("five successive actions are sent in two requests, and each is shown at once", async () => {
  const { session, network, seen } = await predicting(service);
  network.hold();
  const taps = [1, 2, 3, 4].map((n) => show(session, n));
  taps.push(session.back());
  assert.deepEqual(seen.map(([, shown]) => shown), ["home page1", "home page1 page2", "home page1 page2 page3", "home page1 page2 page3 page4", "home page1 page2 page3"]);
  const { tree } = session.getSnapshot();
  network.release();
  assert.deepEqual((await Promise.all(taps)).map(({ revision }) => revision), [2, 3, 4, 5, 6]);
  assert.equal(network.posts.length, 3, "the creation and two posts");
  assert.equal(session.tree, tree);
  const [, first, rest] = network.posts.map(({ body }) => body);
  assert.deepEqual([first.first, first.actions.length, rest.first, rest.actions.length], [1, 1, 2, 4]);
  const { at, ...second } = rest.actions[0];
  assert.deepEqual(second, { step: "show", params: { n: 2 }, from: { action: 1, node: 0 }, seen: 1 });
  assert.ok(Number.isSafeInteger(at));
  session.close();
});

test("a shown step that the service refuses is undone and reported; a refused gesture that was never shown resolves to `stale`", async () => {
  const { session, network, seen } = await predicting(service);
  await show(session, 1);
  const two = await other(service, session);
  const rejected = [];
  session.onRejected((one) => rejected.push(one));
  await until(session, ({ revision, waiting }) => revision === 2 && waiting === 0);
  seen.length = 0;
  network.hold();
  const tap = watched(session.dismiss(session.visible.id));
  const page = watched(session.act({ step: "show", params: { n: 2 }, from: session.visible.id }));
  assert.equal(screens(session), "home page1 page2");
  await two.back();
  await until(session, ({ revision }) => revision === 3);
  network.release();
  await until(session, ({ waiting }) => waiting === 0);
  await Promise.all([tap.end, page.end]);
  assert.equal(screens(session), "home");
  assert.deepEqual([tap.value?.outcome, page.state], ["stale", "refused"], "the gesture was never shown");
  assert.deepEqual(rejected.map(({ action, code }) => [action.step ?? action.type, code]), [["show", page.reason.code]]);
  session.close();
  two.close();
});

test("a page of another client is shown over a predicted one as one change, and the predicted screen keeps its view", async () => {
  const { session, network, seen } = await predicting(service);
  const two = await other(service, session);
  network.hold();
  const tap = session.act({ step: "show", params: { n: 1 } });
  const predicted = session.visible.id;
  assert.equal(session.keyOf(predicted), predicted);
  await show(two, 2);
  await shows(session, "home page1 page2");
  const { id } = session.stack.at(-2);
  assert.notEqual(id, predicted);
  assert.equal(session.keyOf(id), predicted, "the screen keeps the key of its view");
  assert.notEqual(session.keyOf(predicted), predicted, "another node with the old id has another view");
  const { tree } = session.getSnapshot();
  network.release();
  await tap;
  await until(session, ({ revision, waiting }) => revision === 3 && waiting === 0);
  assert.equal(session.tree, tree);
  assert.deepEqual(seen.map(([, shown]) => shown).filter((shown, place, all) => shown !== all[place - 1]), ["home page1", "home page1 page2"]);
  session.close();
  two.close();
});

test("an action that reads a hidden fact is shown after its response, without another post", async () => {
  const { session, network, seen } = await predicting(service);
  network.hold();
  const tap = session.step("ask");
  assert.equal(screens(session), "home");
  network.release();
  await tap;
  assert.equal(screens(session), "home offer");
  assert.equal(network.posts.length, 2);
  assert.ok(seen.every(([, shown]) => shown === "home" || shown === "home offer"));
  session.close();
});

test("a step after an action that cannot be predicted is shown only after the response, but a gesture is shown at once", async () => {
  const { session, network } = await predicting(service);
  await show(session, 1);
  network.hold();
  const taps = [session.step("enter", { pin: "1234" }), session.act({ step: "show", params: { n: 2 } })];
  assert.equal(screens(session), "home page1");
  const back = session.back();
  assert.equal(screens(session), "home", "the gesture is shown at once");
  network.release();
  await Promise.all(taps);
  await assert.rejects(back, { code: "hidden" }, "the user had not seen the new screen");
  assert.equal(screens(session), "home page1 safe page2");
  session.close();
});

test("a predicted action stays correct if another client's array of actions (a push and a back) runs before it", async () => {
  const { session, network } = await predicting(service);
  const two = await other(service, session);
  network.hold();
  const tap = session.act({ step: "show", params: { n: 1 } });
  await two.act([{ step: "show", params: { n: 5 } }, { type: "back" }]);
  await shows(session, "home page1");
  network.release();
  await tap;
  await until(session, ({ revision, waiting }) => revision === 4 && waiting === 0);
  assert.equal(screens(session), "home page1");
  await show(session, 2);
  assert.equal(screens(session), "home page1 page2");
  session.close();
  two.close();
});

test("a state that was read before a pending action ran does not change the keys of that action's views", async () => {
  const { session: two } = await predicting(service);
  const network = new HeldNetwork();
  const session = await connect({ baseURL: service.url, id: two.id, secret: two.secret, fetch: network.fetch });
  // Without a subscriber this client receives no events of the other client.
  await until(session, ({ predicts }) => predicts);
  await settled();
  await two.act([{ step: "show", params: { n: 5 } }, { type: "back" }]);
  const early = network.holdRead("/replica?");
  const first = session.act({ step: "show", params: { n: 1 } });
  await early.arrived;
  const second = session.act({ step: "show", params: { n: 2 } });
  const shown = session.tree.children.map(({ id }) => session.keyOf(id));
  await Promise.all([first, second]);
  early.release();
  await settled();
  assert.equal(screens(session), "home page1 page2");
  await show(session, 3);
  assert.deepEqual(session.tree.children.slice(0, 3).map(({ id }) => session.keyOf(id)), shown);
  session.close();
  two.close();
});

test("with long polls, the response to a poll contains another client's change, and only the next poll follows", async () => {
  const calls = [];
  const network = new HeldNetwork();
  const fetched = (url, init) => {
    calls.push(url.slice(url.indexOf("/v1/sessions/") + "/v1/sessions/".length).replace(/^[^/?]*/, ""));
    return network.fetch(url, init);
  };
  const session = await start({ baseURL: service.url, app: "trip", follow: "poll", fetch: fetched });
  session.subscribe(() => {});
  await until(session, ({ predicts }) => predicts);
  const two = await other(service, session);
  await settled();
  calls.length = 0;
  await show(two, 1);
  await shows(session, "home page1");
  await settled();
  assert.deepEqual(calls, ["?wait=20s"], "only the next poll");
  network.hold();
  const tap = session.act({ step: "show", params: { n: 2 } });
  assert.equal(screens(session), "home page1 page2");
  await show(two, 3);
  await shows(session, "home page1 page2 page3");
  network.release();
  await tap;
  await until(session, ({ waiting }) => waiting === 0);
  assert.equal("replica" in session.getSnapshot(), false);
  session.close();
  two.close();
});

test("with `predict: false`, a session neither predicts nor requests an engine or a replica", async () => {
  const calls = [];
  const fetched = (url, init) => { calls.push([new URL(url).pathname, init?.headers?.Prefer]); return fetch(url, init); };
  const session = await start({ baseURL: service.url, app: "trip", predict: false, fetch: fetched });
  await show(session, 1);
  assert.equal(session.getSnapshot().predicts, false);
  assert.deepEqual(calls.map(([path]) => path.split("/").at(-1)), ["sessions", "actions"]);
  assert.ok(!calls[1][1].includes("replica"));
  session.close();
});

test("a second client of a session predicts too, even if its clock is an hour slow", async () => {
  const { session } = await predicting(service);
  await show(session, 1);
  const again = await connect({ baseURL: service.url, id: session.id, secret: session.secret, now: () => Date.now() - 3_600_000 });
  const seen = await live(again);
  const tap = show(again, 2);
  assert.equal(seen[0][1], "home page1 page2");
  await tap;
  await until(session, () => screens(session) === "home page1 page2");
  session.close();
  again.close();
});

test("an invalid action is refused, and the actions before and after it are performed", async () => {
  const { session, network } = await predicting(service);
  network.hold();
  const taps = [show(session, 1), show(session, 2), session.act({ type: "nonsense" }), session.act({ step: "show", params: { n: 3 }, from: session.visible.id })].map(watched);
  network.release();
  await until(session, ({ waiting }) => waiting === 0);
  await Promise.all(taps.map(({ end }) => end));
  assert.deepEqual(taps.map(({ state, value, reason }) => (state === "done" ? value.revision : reason.code)), [2, 3, "invalid", 4]);
  assert.equal(screens(session), "home page1 page2 page3");
  session.close();
});

test("an action whose signal is already aborted is neither shown nor posted", async () => {
  const { session, network, seen } = await predicting(service);
  await assert.rejects(session.act({ step: "show", params: { n: 1 } }, { signal: AbortSignal.abort(new Error("no more")) }), { message: "no more" });
  assert.deepEqual([screens(session), seen, network.posts.length], ["home", [], 1]);
  await show(session, 2);
  assert.equal(screens(session), "home page2");
  session.close();
});

test("a session without a subscriber keeps showing the effects of an answered array while a later action awaits its response", async () => {
  const network = new HeldNetwork();
  const session = await start({ baseURL: service.url, app: "trip", fetch: network.fetch });
  await live(session);
  const alone = await connect({ baseURL: service.url, id: session.id, secret: session.secret, fetch: network.fetch });
  await until(alone, ({ predicts }) => predicts);
  await settled();
  assert.equal(alone.getSnapshot().connection, "idle");
  await alone.act([{ step: "show", params: { n: 1 } }, { step: "show", params: { n: 2 } }]);
  assert.equal(screens(alone), "home page1 page2");
  const back = alone.back();
  assert.match(screens(alone), /^home page1/);
  await back;
  assert.equal(screens(alone), "home page1");
  session.close();
  alone.close();
});
