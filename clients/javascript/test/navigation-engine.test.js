import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { followNavigation, fromNavigationState, gesturesBetween, navigationActionBetween, toNavigationState } from "../src/react-navigation.js";
import { settled } from "../testing/manual-machine.js";
import { ModelContainer } from "../testing/model-container.js";
import { predictable, startService, until } from "../testing/service.js";
import { other, predicting, put, screens, trip } from "../testing/trip.js";

let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "trip", trip);
});
after(() => service.stop());

const navigators = { root: { type: "stack", routeNames: ["main"] }, main: { type: "stack", routeNames: ["home", "page", "safe", "offer"] } };

/** Returns a predicting session and a container that follows it: `{ session, network, container, two, problems, done }`. `two` is another client. */
async function followed() {
  const made = await predicting(service);
  const container = new ModelContainer(navigators, toNavigationState(made.session));
  await settled();
  const problems = [];
  const stop = followNavigation(made.session, container, { onProblem: ({ code }) => problems.push(code) });
  await settled();
  const two = await other(service, made.session);
  const done = () => { stop(); made.session.close(); two.close(); };
  return { ...made, container, problems, two, done };
}

/** Returns a session with a screen whose confirmed id is not the predicted one, because a screen of another client has got the predicted id. */
async function confirmed() {
  const made = await followed();
  const { session, network, two } = made;
  network.hold();
  const tap = session.act({ step: "show", params: { n: 1 } });
  await settled();
  const predicted = session.visible.id;
  await two.step("show", { n: 2 });
  await until(session, (snapshot) => screens(snapshot) === "home page1 page2");
  network.release();
  await tap;
  await until(session, ({ waiting }) => waiting === 0);
  await settled();
  return { ...made, predicted };
}

const keysIn = ({ whole: { routes } }) => routes[0].state.routes.map(({ key }) => key);

test("the route of a predicted screen keeps its key and mounts once, even if the confirmed node has another id", async () => {
  const { session, container, predicted, problems, done } = await confirmed();
  const ids = session.stack.map(({ id }) => id);
  assert.deepEqual([session.visible.id, ids.at(-2) === predicted], [predicted, false], "the other client's screen has the predicted id");
  assert.deepEqual([keysIn(container).at(-2), new Set(keysIn(container)).size], [predicted, 3]);
  assert.deepEqual(keysIn(container), ids.map(session.keyOf));
  assert.deepEqual(keysIn(container).map(session.idOf), ids);
  assert.deepEqual([...container.mounts].filter(([, count]) => count !== 1), []);
  assert.deepEqual([navigationActionBetween(container.getRootState(), session), problems], [undefined, []]);
  done();
});

test("`fromNavigationState` returns the session's node ids if it is given the session, and otherwise the keys of the routes", async () => {
  const { session, container, predicted, done } = await confirmed();
  const state = container.getRootState();
  const idsOf = ({ children }) => children.map(({ id }) => id);
  assert.deepEqual(idsOf(fromNavigationState(state, session)), session.stack.map(({ id }) => id));
  assert.equal(idsOf(fromNavigationState(state)).at(-2), predicted);
  assert.deepEqual(gesturesBetween(session, state), []);
  // A tree has no view keys, so the routes have the ids of its nodes.
  assert.deepEqual(toNavigationState(session.tree).routes[0].state.routes.map(({ key }) => key), session.stack.map(({ id }) => id));
  done();
});

test("a swipe of a route whose node was confirmed under another id is posted with the node's id, not with the route's key", async () => {
  const { session, container, network, two, problems, done } = await confirmed();
  await two.back({ from: null });
  await until(session, (snapshot) => screens(snapshot) === "home page1");
  await settled();
  const { id } = session.visible;
  container.swipe(session.keyOf(session.tree.id));
  await settled();
  await until(session, ({ waiting, revision }) => waiting === 0 && revision === 5);
  await settled();
  const [{ seen, at, ...pop }] = network.posts.at(-1).body.actions;
  assert.deepEqual(pop, { type: "pop", node: id, from: id });
  assert.deepEqual([screens(session), keysIn(container).length, problems], ["home", 1, []]);
  done();
});

test("a predicted screen that is swiped away before its confirmation stays removed once both actions are confirmed", async () => {
  const { session, container, network, problems, done } = await followed();
  network.hold();
  const tap = session.act({ step: "show", params: { n: 1 } });
  await settled();
  container.swipe(session.keyOf(session.tree.id));
  await settled();
  assert.deepEqual([screens(session), keysIn(container).length], ["home", 1]);
  network.release();
  await tap;
  await until(session, ({ waiting, revision }) => waiting === 0 && revision === 3);
  await settled();
  assert.deepEqual([screens(session), keysIn(container).length, problems], ["home", 1, []]);
  done();
});

test("a step and a swipe after a pending swipe are shown in the container before any response", async () => {
  const { session, container, network, problems, done } = await followed();
  await session.act({ step: "show", params: { n: 1 } });
  await until(session, ({ waiting, revision }) => waiting === 0 && revision === 2);
  network.hold();
  container.swipe(session.keyOf(session.tree.id));
  await settled();
  assert.deepEqual([screens(session), keysIn(container).length], ["home", 1]);
  const tap = session.act({ step: "show", params: { n: 2 } });
  assert.deepEqual([screens(session), keysIn(container)], ["home page2", session.stack.map(({ id }) => session.keyOf(id))]);
  container.swipe(session.keyOf(session.tree.id));
  await settled();
  assert.deepEqual([screens(session), keysIn(container).length], ["home", 1]);
  network.release();
  await tap;
  await until(session, ({ waiting, revision }) => waiting === 0 && revision === 5);
  await settled();
  assert.deepEqual([screens(session), keysIn(container).length, problems], ["home", 1, []]);
  done();
});
