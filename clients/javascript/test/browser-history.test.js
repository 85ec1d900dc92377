import assert from "node:assert/strict";
import test from "node:test";
import { syncHistory } from "../src/browser-history.js";
import { routesOf } from "../src/routes.js";
import { settled } from "../testing/manual-machine.js";
import { opened } from "../testing/opened.js";
import { pageAt } from "../testing/page.js";
import { answer, popped, problem, pushed, session, stream } from "../testing/scripted-service.js";

const change = (revision, ...changes) => ({ outcome: "performed", revision, events: [], changes });
const start = "http://cairn.example/shop";
const [atHome, atDetail] = [`${start}#/home`, `${start}#/home/detail`];

/** Returns a page whose history is connected to a session. `shown()` returns the page's address and the depth of its history entry. */
async function tied({ url = start, window = pageAt(url), options = {}, session: members, details = false } = {}, ...answers) {
  const live = stream();
  const made = await opened({ whole: answer(session(1, members)), details }, live.answer, ...answers);
  const untie = syncHistory(made.session, { window, ...options });
  await settled();
  const hear = (body) => { live.event("change", body, body.revision); return settled(); };
  return { ...made, window, untie, hear, shown: () => [window.location.href, window.history.state?.cairnDepth] };
}

/** Runs `act`, and waits until the history has moved `times` times. */
async function moved(window, times, act) {
  const late = AbortSignal.timeout(10_000);
  const all = new Promise((resolve, reject) => {
    let left = times;
    late.addEventListener("abort", () => reject(late.reason));
    window.addEventListener("popstate", () => (left -= 1) === 0 && resolve());
  });
  act();
  await all;
  await settled();
}

test("the history has one entry for each possible back, and the address names the screens of the stack without their params", async () => {
  const { window, hear, shown } = await tied();
  const { length } = window.history;
  assert.deepEqual(shown(), [atHome, 0]);
  await hear(pushed());
  assert.deepEqual([shown(), window.history.length], [[atDetail, 1], length + 1]);
  await hear(change(3, { op: "update", node: "n4", params: { id: 7, of: "a/b" } }));
  assert.deepEqual([shown(), window.history.length], [[atDetail, 1], length + 1]);
  await moved(window, 1, () => hear(popped(4)));
  assert.deepEqual(shown(), [atHome, 0]);
});

test("after another tab is selected, the history has an entry for the first tab, until the session's details show that back has no effect", async () => {
  let give;
  const { window, hear, shown, session: { tree } } = await tied({ details: true }, () => new Promise((resolve) => { give = resolve; }));
  await hear(change(2, { op: "select", in: "n0", index: 1 }));
  assert.deepEqual(shown(), [`${start}#/list`, 1]);
  await moved(window, 1, () => give(answer(session(2, { tree: { ...tree, selected: 1 } }))));
  assert.deepEqual(shown(), [`${start}#/list`, 0]);
});

test("the address of a screen with a link is the link, filled with the params of the screen and of the screens below it", async () => {
  const links = { detail: "r/{id}/of/{of}", list: "lists/{id}" };
  const { hear, shown } = await tied({ options: { links } });
  await hear(pushed());
  assert.deepEqual(shown(), [atDetail, 1]);
  await hear(change(3, { op: "update", node: "n4", params: { id: 7, of: "a/b" } }));
  assert.deepEqual(shown(), [`${start}#/r/7/of/a%2Fb`, 1]);
  await hear(change(4, { op: "push", in: "n1", node: { id: "n6", kind: "screen", name: "list", params: { phone: "0171 23" } } }));
  assert.deepEqual(shown(), [`${start}#/lists/7`, 2]);
});

/** Returns a fake session that shows a tree, and that accepts `back` if `hasBack` is true. */
function given(tree, hasBack) {
  const snapshot = { tree, stack: routesOf(tree), accepts: { steps: [], primitives: hasBack ? ["back"] : [] }, detailed: true };
  return { getSnapshot: () => snapshot, subscribe: () => () => {}, onExit: () => () => {} };
}

test("with tabs in a stack, the history has an entry for the first tab, and one for each screen that can be popped in that tab", async () => {
  const window = pageAt(start);
  const screen = (name) => ({ id: `n${name.length}`, kind: "screen", name });
  const stack = (name, ...screens) => ({ id: name, kind: "stack", name, children: screens.map(screen) });
  const tabs = { id: "n0", kind: "tabs", name: "tabs", selected: 1, children: [stack("first", "home", "detail"), stack("second", "list")] };
  const untie = syncHistory(given({ id: "n9", kind: "stack", name: "app", children: [tabs] }, true), { window });
  await settled();
  assert.deepEqual([window.location.hash, window.history.state], ["#/list", { cairnDepth: 2 }]);
  untie();
});

test("the history has no entry for the first tab if the session does not accept back in another tab", async () => {
  const window = pageAt(start);
  const tree = { id: "n0", kind: "tabs", name: "tabs", selected: 1, children: ["home", "list"].map((name) => ({ id: name, kind: "screen", name })) };
  const untie = syncHistory(given(tree, false), { window });
  await settled();
  assert.deepEqual(window.history.state, { cairnDepth: 0 });
  untie();
});

test("if the service answers Back in the second tab with `unchanged`, the browser stays at the first history entry", async () => {
  const { window, hear, shown, service } = await tied({ session: { accepts: undefined } }, answer({ outcome: "unchanged", revision: 2, events: [], changes: [] }));
  await hear(change(2, { op: "select", in: "n0", index: 1 }));
  assert.deepEqual(shown(), [`${start}#/list`, 1]);
  await moved(window, 1, () => window.history.back());
  assert.deepEqual([service.posts.length, shown()], [1, [`${start}#/list`, 0]]);
});

test("the browser's Back posts `back`, and the browser's Forward is undone without a post", async () => {
  const { window, hear, shown, service } = await tied({}, answer(popped()));
  await hear(pushed());
  await moved(window, 1, () => window.history.back());
  assert.deepEqual(service.posts.map(([body]) => body), [{ type: "back", from: "n4" }]);
  assert.deepEqual(shown(), [atHome, 0]);
  await moved(window, 2, () => window.history.forward());
  assert.equal(service.posts.length, 1);
  assert.deepEqual(shown(), [atHome, 0]);
});

test("if the service refuses Back or a guard asks first, the history moves to the entry of the visible screen", async () => {
  const problems = [];
  const question = change(3, { op: "present", on: "n4", node: { id: "n6", kind: "alert", name: "discard" } });
  const { window, hear, shown, service } = await tied({ options: { onProblem: ({ code }) => problems.push(code) } }, problem(409, "not-accepted"), answer(question));
  await hear(pushed());
  await moved(window, 2, () => window.history.back());
  assert.deepEqual([problems, shown()], [["not-accepted"], [atDetail, 1]]);
  await moved(window, 2, () => window.history.back());
  assert.deepEqual([problems.length, service.posts.length, shown()], [1, 2, [`${atDetail}/discard`, 2]]);
});

/** Returns a page whose history is connected to a session with the screen `home` and three `detail` screens above it. */
async function tiedDeep(options, ...answers) {
  const made = await tied({ options }, ...answers);
  const push = (revision, id) => change(revision, { op: "push", in: "n1", node: { id, kind: "screen", name: "detail" } });
  for (const [index, id] of ["n4", "n6", "n7"].entries()) await made.hear(push(index + 2, id));
  assert.deepEqual(made.shown(), [`${atDetail}/detail/detail`, 3]);
  return made;
}

const asked = (on, revision) => change(revision, { op: "present", on, node: { id: "n9", kind: "alert", name: "discard" } });

test("Back over several screens of a stack posts one `pop`, and the history goes back after the guard's question is answered", async () => {
  const gone = { ...change(6, { op: "dismiss", node: "n9" }, { op: "pop", in: "n1", to: "n2" }), events: [{ type: "questionEnded", reason: "answered" }] };
  const { window, shown, service, session: one } = await tiedDeep({}, answer(asked("n7", 5)), answer(gone));
  const { length } = window.history;
  await moved(window, 2, () => window.history.go(-3));
  assert.deepEqual(service.posts.map(([body]) => body), [{ type: "pop", node: "n4", from: "n7" }]);
  assert.deepEqual([shown(), window.history.length], [[`${atDetail}/detail/detail/discard`, 4], length + 1]);
  await moved(window, 1, () => one.step("discarded"));
  assert.deepEqual([shown(), window.history.length], [[atHome, 0], length + 1]);
});

test("with a custom `back`, Back over several entries calls it once per entry, and stops at a guard's question", async () => {
  let made;
  const back = () => made.session.back();
  made = await tiedDeep({ back }, answer(change(5, { op: "pop", in: "n1", to: "n6" })), answer(asked("n6", 6)));
  await moved(made.window, 2, () => made.window.history.go(-3));
  assert.equal(made.service.posts.length, 2);
  assert.deepEqual(made.shown(), [`${atDetail}/detail/discard`, 3]);
});

test("the history has an entry for a guard on the last screen, and the browser leaves the page once the user has agreed", async (context) => {
  const accepts = { steps: ["left"], primitives: ["back"], guarded: ["back"] };
  const exited = { ...change(3, { op: "dismiss", node: "n9" }), events: [{ type: "exit" }] };
  const asks = answer(change(2, { op: "present", on: "n2", node: { id: "n9", kind: "alert", name: "discard" } }));
  const { window, shown, service, session: one } = await tied({ session: { accepts } }, asks, answer(exited));
  const go = context.mock.method(window.history, "go");
  assert.deepEqual(shown(), [atHome, 1]);
  await moved(window, 2, () => window.history.back());
  assert.deepEqual([service.posts[0][0].type, shown()], ["back", [`${atHome}/discard`, 1]]);
  const told = [];
  one.onExit(() => told.push("exit"));
  await one.step("left");
  assert.deepEqual([told, go.mock.calls.map(({ arguments: [delta] }) => delta)], [["exit"], [1, -2]]);
});

/** Returns a fake session. `show` sets its tree and the guarded actions; `exit` reports that the user has agreed to leave the app. */
function shown(first) {
  const listeners = [];
  const leaves = [];
  let snapshot;
  const of = (tree, guarded) => ({ tree, stack: routesOf(tree), detailed: guarded !== undefined, accepts: { steps: [], primitives: ["back"], guarded } });
  const show = (tree, guarded) => { snapshot = of(tree, guarded); for (const listener of listeners) listener(); };
  snapshot = of(...first);
  const one = { getSnapshot: () => snapshot, subscribe: (listener) => { listeners.push(listener); return () => {}; }, onExit: (leave) => { leaves.push(leave); return () => {}; } };
  return { one, show, exit: () => leaves.forEach((leave) => leave()) };
}

const screens = (...names) => ({ id: "n1", kind: "stack", name: "main", children: names.map((name, index) => ({ id: `n${index + 2}`, kind: "screen", name })) });

test("the page is left only after a history move in progress has ended, and later changes of the session do not move the history", async (context) => {
  const window = pageAt(start);
  const { one, show, exit } = shown([screens("home", "detail"), []]);
  const untie = syncHistory(one, { window });
  await settled();
  const go = context.mock.method(window.history, "go");
  const moves = () => go.mock.calls.map(({ arguments: [delta] }) => delta);
  await moved(window, 1, () => { show(screens("home"), []); exit(); assert.deepEqual(moves(), [-1]); });
  assert.deepEqual(moves(), [-1, -1]);
  show(screens("home", "detail"), []);
  assert.deepEqual([moves(), window.history.state], [[-1, -1], { cairnDepth: 0 }]);
  untie();
});

test("if the browser cannot leave the page because no entry precedes it, the history follows the session again after a timeout", async (context) => {
  const window = pageAt(start);
  const timers = [];
  context.mock.method(window, "setTimeout", (run, delay) => { if (delay >= 1_000) timers.push(run); });
  const { one, show, exit } = shown([screens("home"), ["back"]]);
  const untie = syncHistory(one, { window });
  await settled();
  exit();
  show(screens("home", "detail"), []);
  assert.equal(window.location.hash, "#/home");
  timers[0]();
  assert.equal(window.location.hash, "#/home/detail");
  untie();
});

test("the entry for a guard on the last screen stays until the details of the new tree arrive", async () => {
  const window = pageAt(start);
  const { one, show } = shown([screens("home"), ["back"]]);
  const untie = syncHistory(one, { window });
  await settled();
  const alert = { id: "n9", kind: "alert", name: "sure" };
  show({ ...screens("home"), presented: alert }, []);
  show(screens("home"));
  assert.deepEqual(window.history.state, { cairnDepth: 1 });
  await moved(window, 1, () => show(screens("home"), []));
  assert.deepEqual(window.history.state, { cairnDepth: 0 });
  untie();
});

test("a change by another client while Back awaits its response is applied to the browser history after the response", async () => {
  let give;
  const { window, hear, shown } = await tied({}, () => new Promise((resolve) => { give = resolve; }));
  await hear(pushed());
  await moved(window, 1, () => window.history.back());
  await hear(change(3, { op: "push", in: "n1", node: { id: "n6", kind: "screen", name: "list" } }));
  assert.deepEqual(shown(), [atDetail.replace("/detail", ""), 0]);
  await moved(window, 1, () => give(answer(change(4, { op: "pop", in: "n1", to: "n4" }))));
  assert.deepEqual(shown(), [atDetail, 1]);
});

test("`onAddress` receives an address that the user typed, after the browser shows the session's address again", async () => {
  const seen = [];
  const { window, hear, shown } = await tied({ options: { onAddress: ({ hash }) => seen.push([hash, window.location.hash]) } });
  await hear(pushed());
  await moved(window, 2, () => { window.location.hash = "#/list"; });
  assert.deepEqual([seen, shown()], [[["#/list", "#/home/detail"]], [atDetail, 1]]);
});

test("if the user types the session's current address again, the history stays and `onAddress` is not called", async () => {
  const seen = [];
  const { window, hear, shown } = await tied({ options: { onAddress: ({ hash }) => seen.push(hash) } });
  await hear(pushed());
  window.history.replaceState(null, "", window.location.href);
  await moved(window, 1, () => window.dispatchEvent(new window.PopStateEvent("popstate", { state: null })));
  assert.deepEqual([seen, shown()], [[], [atDetail, 1]]);
});

test("`onAddress` receives the address of the first load, but not after a reload, without a hash, or if it is the session's own", async () => {
  const seen = [];
  const options = { onAddress: ({ href }) => { seen.push(href); throw new Error("no such link"); }, onProblem: ({ message }) => seen.push(message) };
  const { shown, window, untie } = await tied({ url: `${start}#/list`, options });
  assert.deepEqual([seen.splice(0), shown()], [[`${start}#/list`, "no such link"], [atHome, 0]]);
  untie();
  window.history.replaceState(window.history.state, "", "#/list");
  await tied({ window, options });
  await tied({ url: atHome, options });
  await tied({ url: start, options });
  assert.deepEqual(seen, []);
});

test("after a reload the history goes back once over entries that the session no longer has, even if `syncHistory` was called twice", async () => {
  const window = pageAt(start);
  const { hear, untie } = await tied({ window });
  await hear(pushed());
  untie();
  const moves = [];
  window.addEventListener("popstate", ({ state }) => moves.push(state.cairnDepth));
  const again = await opened({ whole: answer(session()) }, stream().answer, stream().answer);
  let untieAgain;
  await moved(window, 1, () => {
    syncHistory(again.session, { window })();
    untieAgain = syncHistory(again.session, { window });
  });
  assert.deepEqual([moves, window.location.href], [[0], atHome]);
  untieAgain();
  assert.equal(again.session.getSnapshot().connection, "idle");
});

test("if a session begins with two screens, the history has an entry for each, and Back pops the second screen", async () => {
  const window = pageAt(start);
  const tree = session().tree.children[0];
  const [first, second] = ["n2", "n4"].map((id) => ({ id, kind: "screen", name: id === "n2" ? "home" : "detail" }));
  const live = stream();
  const made = await opened({ whole: answer(session(1, { tree: { ...tree, children: [first, second] } })) }, live.answer, answer(popped(2)));
  const leave = syncHistory(made.session, { window });
  await settled();
  assert.deepEqual([window.location.href, window.history.state.cairnDepth], [atDetail, 1]);
  await moved(window, 1, () => window.history.back());
  assert.deepEqual([made.service.posts.map(([body]) => body), window.location.href, window.history.state.cairnDepth], [[{ type: "back", from: "n4" }], atHome, 0]);
  leave();
});

test("after the history is disconnected, changes of the session do not move it, and Back posts nothing", async () => {
  const { hear, untie, shown, window, service, session: one } = await tied({}, answer(change(3)));
  await hear(pushed());
  untie();
  assert.equal(one.getSnapshot().connection, "idle");
  await one.act({ step: "rowIsPicked" });
  await moved(window, 1, () => window.history.back());
  assert.deepEqual([service.posts.length, shown()], [1, [atHome, 0]]);
});

test("if the history is disconnected while Back awaits its response, the response does not move it", async () => {
  let give;
  const { hear, untie, shown, window } = await tied({}, () => new Promise((resolve) => { give = resolve; }));
  await hear(pushed());
  await moved(window, 1, () => window.history.back());
  untie();
  give(answer({ outcome: "unchanged", revision: 2, events: [], changes: [] }));
  await settled();
  assert.deepEqual(shown(), [atHome, 0]);
});

test("a change of the session during the history's own move back causes no further move and no post", async (context) => {
  const { hear, shown, window, service } = await tied();
  const go = context.mock.method(window.history, "go");
  await hear(pushed());
  await hear(change(3, { op: "push", in: "n1", node: { id: "n6", kind: "screen", name: "list" } }));
  await moved(window, 1, () => {
    hear(change(4, { op: "pop", in: "n1", to: "n4" }));
    hear(change(5, { op: "update", node: "n4", params: { id: 7 } }));
  });
  assert.deepEqual([go.mock.calls.map(({ arguments: [delta] }) => delta), service.posts, shown()], [[-1], [], [atDetail, 1]]);
});

test("Back after the session was closed posts nothing and is not undone", async () => {
  const problems = [];
  const { hear, shown, window, service, session: one } = await tied({ options: { onProblem: (problem) => problems.push(problem) } });
  await hear(pushed());
  one.close();
  await moved(window, 1, () => window.history.back());
  assert.deepEqual([service.posts, problems, shown()], [[], [], [atHome, 0]]);
});

/**
 * Returns a page whose history is connected to a fake session without responses. `leads` maps the names of the screens before a Back to those after it; by
 * default, Back removes the last screen. `run` determines when the session shows the result.
 */
async function tiedOffline({ leads = {}, run = (act) => act() } = {}) {
  const window = pageAt(start);
  const listeners = new Set();
  const treeOf = (...screens) => ({ kind: "stack", children: screens.map((name) => ({ kind: "screen", name })) });
  let tree = treeOf("home");
  const show = (...screens) => {
    tree = treeOf(...screens);
    for (const listener of [...listeners]) listener();
    return settled();
  };
  const back = () => {
    const screens = tree.children.map(({ name }) => name);
    run(() => show(...(leads[screens.join()] ?? screens.slice(0, -1))));
    return new Promise(() => {});
  };
  const listen = (listener) => { listeners.add(listener); return () => listeners.delete(listener); };
  const one = { getSnapshot: () => ({ tree, stack: routesOf(tree) }), subscribe: listen, onExit: () => () => {}, back };
  const untie = syncHistory(one, { window, back });
  await settled();
  await show("home", "list", "detail");
  return { window, show, untie, listeners, shown: () => [window.location.hash.slice(2), window.history.state?.cairnDepth] };
}

for (const [when, run] of [["during the call"], ["in another page, soon after the call,", setImmediate]]) {
  test(`the history follows a Back that an engine shows ${when} and later changes before the service responds`, async () => {
    const { window, show, shown, untie, listeners } = await tiedOffline({ run });
    assert.deepEqual(shown(), ["home/list/detail", 2]);
    await moved(window, 1, () => window.history.back());
    assert.deepEqual(shown(), ["home/list", 1]);
    await show("home", "list", "other");
    assert.deepEqual(shown(), ["home/list/other", 2]);
    await moved(window, 1, () => window.history.go(-2));
    assert.deepEqual(shown(), ["home", 0]);
    assert.equal(listeners.size, 1);
    untie();
  });
}

test("the history follows a Back that presents a guard's question before the service responds", async () => {
  const { window, shown, untie } = await tiedOffline({ leads: { "home,list,detail": ["home", "list", "detail", "discard"] } });
  await moved(window, 2, () => window.history.back());
  assert.deepEqual(shown(), ["home/list/detail/discard", 3]);
  await moved(window, 1, () => window.history.back());
  assert.deepEqual(shown(), ["home/list/detail", 2]);
  untie();
});

test("refusals are written to the console if `onProblem` is missing", async (context) => {
  const warned = context.mock.method(console, "warn", () => {});
  const { hear, window } = await tied({}, problem(409, "not-accepted"));
  await hear(pushed());
  await moved(window, 1, () => window.history.back());
  assert.deepEqual(warned.mock.calls.map(({ arguments: [{ code }] }) => code), ["not-accepted"]);
});

test("`addressOf` replaces the default addresses, and other members of an entry's state are kept", async () => {
  const addressOf = ({ visible }) => `/shop/${visible.screen}`;
  const window = pageAt(start);
  window.history.replaceState({ scroll: 7 }, "");
  const { hear, shown } = await tied({ window, options: { addressOf } });
  assert.deepEqual(window.history.state, { scroll: 7, cairnDepth: 0 });
  await hear(pushed());
  assert.deepEqual(shown(), ["http://cairn.example/shop/detail", 1]);
});
