import assert from "node:assert/strict";
import test from "node:test";
import { followNavigation, toNavigationState } from "../src/react-navigation.js";
import { settled } from "../testing/manual-machine.js";
import { ModelContainer } from "../testing/model-container.js";
import { opened } from "../testing/opened.js";
import { answer, popped, problem, pushed, session as whole, stream } from "../testing/scripted-service.js";

const navigators = {
  root: { type: "stack", routeNames: ["app", "ask"] },
  app: { type: "tab", routeNames: ["main", "other"] },
  main: { type: "stack", routeNames: ["home", "detail"] },
  other: { type: "stack", routeNames: ["list", "detail"] },
};

/** Returns a session with a scripted service, and a container that follows the session. */
async function followed({ of = navigators, ...options }, ...answers) {
  const live = stream();
  const made = await opened(options, live.answer, ...answers);
  const container = new ModelContainer(of, toNavigationState(made.session));
  await settled();
  const problems = [];
  const stop = followNavigation(made.session, container, { onProblem: ({ code }) => problems.push(code) });
  await settled();
  return { ...made, live, container, stop, problems };
}

/** Returns the keys and names of the screens in a container's selected tab, and of the modals over it. */
function shown({ whole: { routes } }) {
  const tab = routes[0].state.routes[routes[0].state.index];
  return [...tab.state.routes, ...routes.slice(1)].map(({ key, name }) => `${key} ${name}`);
}

/** Returns a scripted response that is pending, and the function that resolves it. */
function held() {
  let give;
  const given = new Promise((resolve) => { give = resolve; });
  return [() => given, (made) => { give(made); return settled(); }];
}

/** Returns the response for a session with `detail` on top of `home`. */
const deep = () => {
  const { tree, ...rest } = whole();
  const [main, other] = tree.children;
  return answer({ ...rest, tree: { ...tree, children: [{ ...main, children: [...main.children, { id: "n4", kind: "screen", name: "detail" }] }, other] } });
};
const withMembers = async (response, more) => answer({ ...(await response.json()), ...more });
const selected = (index, revision = 2) => ({ outcome: "performed", revision, events: [], changes: [{ op: "select", in: "n0", index }] });

test("a container that already shows the tree receives no action, and each change of the session is one action", async () => {
  const { container, live, service } = await followed({});
  assert.deepEqual(container.dispatched, []);
  live.event("change", pushed(), 2);
  await settled();
  assert.deepEqual(shown(container), ["n2 home", "n4 detail"]);
  live.event("change", popped(), 3);
  await settled();
  assert.deepEqual(shown(container), ["n2 home"]);
  assert.deepEqual(container.dispatched.map(({ type }) => type), ["RESET", "POP"]);
  assert.deepEqual(service.posts, []);
  assert.deepEqual([...container.mounts].filter(([, count]) => count > 1), []);
});

test("a swipe in the container is posted once, and its response dispatches no action", async () => {
  const { container, service } = await followed({ whole: deep() }, answer(popped(2)));
  container.swipe("n1");
  await settled();
  assert.deepEqual(service.posts.map(([body]) => body), [{ type: "pop", node: "n4", from: "n4" }]);
  assert.deepEqual([container.dispatched, shown(container)], [[], ["n2 home"]]);
});

test("a tap on an unmounted tab is posted as `select`, and the tab's first screen mounts once", async () => {
  const { container, service } = await followed({}, answer(selected(1)));
  assert.equal(container.mounts.has("n5"), false);
  container.tap("other", "n0");
  await settled();
  assert.deepEqual(service.posts.map(([body]) => body), [{ type: "select", tab: 1, node: "n0", from: "n0" }]);
  assert.deepEqual([container.dispatched, shown(container), container.mounts.get("n5")], [[], ["n5 list"], 1]);
});

test("a change in an unmounted tab is shown when the tab mounts, and is not posted as a gesture", async () => {
  const { container, live, service } = await followed({}, answer(selected(1, 3)));
  live.event("change", { ...pushed(), changes: [{ op: "push", in: "n3", node: { id: "n4", kind: "screen", name: "detail" } }] }, 2);
  await settled();
  assert.equal(container.mounts.has("n5"), false);
  container.tap("other", "n0");
  await settled();
  assert.deepEqual(shown(container), ["n5 list", "n4 detail"]);
  assert.deepEqual(container.dispatched.map(({ type, target }) => [type, target]), [["RESET", "tab-2"]]);
  assert.equal(service.posts.length, 1);
});

test("successive gestures are posted in order, and the container is not reset between them", async () => {
  const [first, giveFirst] = held();
  const [second, giveSecond] = held();
  const { container, service } = await followed({ whole: deep() }, first, second);
  container.swipe("n1");
  await settled();
  container.tap("other", "n0");
  await settled();
  await giveFirst(answer(popped(2)));
  assert.deepEqual(shown(container), ["n5 list"]);
  await giveSecond(answer(selected(1, 3)));
  assert.deepEqual(service.posts.map(([body]) => body), [{ type: "pop", node: "n4", from: "n4" }, { type: "select", tab: 1, node: "n0", from: "n0" }]);
  assert.deepEqual([container.dispatched, shown(container)], [[], ["n5 list"]]);
});

test("a step during a pending swipe is sent by the screen below the swiped one if `from` names that screen", async () => {
  const [post, give] = held();
  const { container, session, service } = await followed({ whole: deep() }, post, answer(pushed(3)));
  container.swipe("n1");
  await settled();
  const [route] = container.whole.routes[0].state.routes[0].state.routes;
  const tap = session.step("detailIsPicked", {}, { from: route.key });
  await give(answer(popped(2)));
  await tap;
  await settled();
  assert.deepEqual(service.posts.map(([body]) => body), [{ type: "pop", node: "n4", from: "n4" }, { step: "detailIsPicked", from: "n2" }]);
  assert.deepEqual(shown(container), ["n2 home", "n4 detail"]);
});

test("a refused gesture is undone in the container by one action", async () => {
  const { container, problems } = await followed({ whole: deep() }, problem(409, "not-accepted"));
  container.swipe("n1");
  await settled();
  assert.deepEqual([shown(container), problems], [["n2 home", "n4 detail"], ["not-accepted"]]);
  assert.deepEqual(container.dispatched.map(({ type, target }) => [type, target]), [["RESET", "stack-3"]]);
});

test("if a guard asks before a swiped screen is popped, one action restores the screen and shows the question over it", async () => {
  const asked = [{ op: "present", on: "n0", node: { id: "n6", kind: "alert", name: "ask" } }];
  const { container, service } = await followed({ whole: deep() }, answer({ ...popped(2), changes: asked }));
  container.swipe("n1");
  await settled();
  assert.deepEqual(shown(container), ["n2 home", "n4 detail", "n6 ask"]);
  assert.deepEqual([container.dispatched.length, service.posts.length], [1, 1]);
});

test("a change by another client during a pending gesture is dispatched after the gesture's response", async () => {
  const [post, give] = held();
  const { container, live } = await followed({ whole: deep() }, post);
  container.swipe("n1");
  await settled();
  live.event("change", selected(1), 2);
  await settled();
  assert.deepEqual(container.dispatched, []);
  await give(answer(popped(3)));
  assert.deepEqual(container.dispatched.map(({ type }) => type), ["JUMP_TO"]);
  assert.deepEqual(shown(container), ["n5 list"]);
});

test("once the session shows a pending gesture, later changes are dispatched without waiting for the gesture's response", async () => {
  const [post, give] = held();
  const { container, live, problems } = await followed({ whole: deep() }, post);
  container.swipe("n1");
  await settled();
  live.event("change", popped(2), 2);
  await settled();
  live.event("change", selected(1, 3), 3);
  await settled();
  assert.deepEqual([shown(container), container.dispatched.map(({ type }) => type)], [["n5 list"], ["JUMP_TO"]]);
  await give(answer(popped(2)));
  assert.deepEqual([shown(container), container.dispatched.length, problems], [["n5 list"], 1, []]);
});

test("a gesture that the container has not reported when the session changes is posted, not overwritten", async () => {
  const predictions = [{ action: { type: "select", tab: 1 }, changes: selected(1).changes, outcome: "performed" }];
  const [select, giveSelect] = held();
  const [pop, givePop] = held();
  const { container, session, service } = await followed({ predict: true, whole: await withMembers(deep(), { predictions }) }, select, pop);
  container.swipe("n1");
  const tap = session.select(1);
  await giveSelect(answer({ ...selected(1), predictions: [] }));
  await givePop(answer({ ...popped(3), predictions: [] }));
  await tap;
  await settled();
  assert.deepEqual(service.posts.map(([body]) => body), [{ type: "select", tab: 1, from: "n0" }, { type: "pop", node: "n4", from: "n4" }]);
  assert.deepEqual([shown(container), container.dispatched.map(({ type }) => type)], [["n5 list"], ["JUMP_TO"]]);
});

test("a push that the app makes in the container is undone, because it is not a gesture, and is not posted", async () => {
  const { container, service } = await followed({});
  container.push("detail", "n1");
  await settled();
  assert.deepEqual(shown(container), ["n2 home"]);
  assert.deepEqual(container.dispatched.map(({ type }) => type), ["POP"]);
  assert.deepEqual(service.posts, []);
});

test("a screen that the app's navigators lack is reported once as `not-shown`, and its absence is not posted as a gesture", async () => {
  const { container, live, session, service, problems } = await followed({ whole: deep() }, answer({ ...selected(0), outcome: "unchanged", revision: undefined, changes: [] }));
  const strange = { id: "n6", kind: "screen", name: "strange" };
  live.event("change", { ...popped(2), changes: [...popped().changes, { op: "push", in: "n1", node: strange }] }, 2);
  await settled();
  assert.deepEqual([shown(container), problems], [["n2 home"], ["not-shown"]]);
  assert.deepEqual(container.dispatched.map((action) => action.type ?? action), ["RESET", "root"]);
  await session.select(0);
  assert.deepEqual([service.posts.length, problems.length], [1, 1]);
  live.event("change", popped(3), 3);
  await settled();
  assert.deepEqual([service.posts.length, problems.length, container.dispatched.length], [1, 1, 2]);
});

test("a container that is not ready yet receives the session's tree once it is ready", async () => {
  const { session } = await opened({ whole: deep() });
  const container = new ModelContainer(navigators, toNavigationState(whole()));
  const stop = followNavigation({ tree: session.tree, subscribe: () => () => {} }, container);
  assert.equal(container.isReady(), false);
  await settled();
  assert.deepEqual([shown(container), container.dispatched.length], [["n2 home", "n4 detail"], 1]);
  stop();
});

test("after the returned function is called, nothing is dispatched or posted, and no listener remains", async () => {
  const [post, give] = held();
  const { container, session, service, stop } = await followed({ whole: deep() }, post, answer(selected(1)));
  container.swipe("n1");
  await settled();
  stop();
  assert.equal(container.listeners, 0);
  await give(problem(409, "not-accepted"));
  container.tap("other", "n0");
  await settled();
  assert.equal(service.posts.length, 1);
  await session.select(1);
  assert.deepEqual(container.dispatched, []);
});

const { changes: pushing } = pushed();
const toDetail = { action: { step: "detailIsPicked" }, changes: pushing, outcome: "performed" };
const predicting = () => ({ predict: true, whole: answer(whole(1, { predictions: [toDetail] })) });

test("a predicted step dispatches one action at once, and its response and its event dispatch none", async () => {
  const [post, give] = held();
  const { container, session, live } = await followed(predicting(), post);
  const tap = session.step("detailIsPicked");
  assert.deepEqual([shown(container), container.dispatched.length], [["n2 home", "n4 detail"], 1]);
  await settled();
  await give(answer({ ...pushed(), predictions: [] }));
  live.event("change", pushed(), 2);
  await settled();
  await tap;
  assert.deepEqual([container.dispatched.length, container.mounts.get("n4")], [1, 1]);
});

test("one action corrects the container after a wrong prediction, and one after a refused step", async () => {
  const [post, give] = held();
  const { container, session } = await followed(predicting(), post);
  const tap = session.step("detailIsPicked");
  await settled();
  await give(answer({ ...selected(1), predictions: [] }));
  await tap;
  assert.deepEqual([shown(container), container.dispatched.length], [["n5 list"], 2]);

  const [other, refuse] = held();
  const second = await followed(predicting(), other);
  const refused = assert.rejects(second.session.step("detailIsPicked"), { code: "not-accepted" });
  await refuse(problem(409, "not-accepted"));
  await refused;
  assert.deepEqual([shown(second.container), second.container.dispatched.map(({ type }) => type)], [["n2 home"], ["RESET", "POP"]]);
});
