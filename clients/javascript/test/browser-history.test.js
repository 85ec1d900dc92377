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

/** A page whose history is tied to a session; `shown` is its address with the depth of its entry. */
async function tied({ url = start, window = pageAt(url), options = {}, session: members, details = false } = {}, ...answers) {
  const live = stream();
  const made = await opened({ whole: answer(session(1, members)), details }, live.answer, ...answers);
  const untie = syncHistory(made.session, { window, ...options });
  await settled();
  const hear = (body) => { live.event("change", body, body.revision); return settled(); };
  return { ...made, window, untie, hear, shown: () => [window.location.href, window.history.state?.cairnDepth] };
}

/** Runs `act`, and waits until the history has moved as often as given. */
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

test("the history has an entry for each back, and the address shows the screens of the stack without their params", async () => {
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

test("a tab that the stream shows has an entry for the first tab, until the details of its own tree say that it has none", async () => {
  let give;
  const { window, hear, shown, session: { tree } } = await tied({ details: true }, () => new Promise((resolve) => { give = resolve; }));
  await hear(change(2, { op: "select", in: "n0", index: 1 }));
  assert.deepEqual(shown(), [`${start}#/list`, 1]);
  await moved(window, 1, () => give(answer(session(2, { tree: { ...tree, selected: 1 } }))));
  assert.deepEqual(shown(), [`${start}#/list`, 0]);
});

test("the address of a screen with a link is its link, with params of that screen and of those below it", async () => {
  const links = { detail: "r/{id}/of/{of}", list: "lists/{id}" };
  const { hear, shown } = await tied({ options: { links } });
  await hear(pushed());
  assert.deepEqual(shown(), [atDetail, 1]);
  await hear(change(3, { op: "update", node: "n4", params: { id: 7, of: "a/b" } }));
  assert.deepEqual(shown(), [`${start}#/r/7/of/a%2Fb`, 1]);
  await hear(change(4, { op: "push", in: "n1", node: { id: "n6", kind: "screen", name: "list", params: { phone: "0171 23" } } }));
  assert.deepEqual(shown(), [`${start}#/lists/7`, 2]);
});

/** A session that shows a tree which a test gives, and which accepts `back` or not. */
function given(tree, hasBack) {
  const snapshot = { tree, stack: routesOf(tree), accepts: { steps: [], primitives: hasBack ? ["back"] : [] }, detailed: true };
  return { getSnapshot: () => snapshot, subscribe: () => () => {}, onExit: () => () => {} };
}

test("a stack around tabs has an entry for the first tab, and one for each screen that is popped in it", async () => {
  const window = pageAt(start);
  const screen = (name) => ({ id: `n${name.length}`, kind: "screen", name });
  const stack = (name, ...screens) => ({ id: name, kind: "stack", name, children: screens.map(screen) });
  const tabs = { id: "n0", kind: "tabs", name: "tabs", selected: 1, children: [stack("first", "home", "detail"), stack("second", "list")] };
  const untie = syncHistory(given({ id: "n9", kind: "stack", name: "app", children: [tabs] }, true), { window });
  await settled();
  assert.deepEqual([window.location.hash, window.history.state], ["#/list", { cairnDepth: 2 }]);
  untie();
});

test("tabs whose first one is not selected by back have no entry for it, once that is known", async () => {
  const window = pageAt(start);
  const tree = { id: "n0", kind: "tabs", name: "tabs", selected: 1, children: ["home", "list"].map((name) => ({ id: name, kind: "screen", name })) };
  const untie = syncHistory(given(tree, false), { window });
  await settled();
  assert.deepEqual(window.history.state, { cairnDepth: 0 });
  untie();
});

test("Back in the last tab leaves the page once the service has answered that it changes nothing", async () => {
  const { window, hear, shown, service } = await tied({ session: { accepts: undefined } }, answer({ outcome: "unchanged", revision: 2, events: [], changes: [] }));
  await hear(change(2, { op: "select", in: "n0", index: 1 }));
  assert.deepEqual(shown(), [`${start}#/list`, 1]);
  await moved(window, 1, () => window.history.back());
  assert.deepEqual([service.posts.length, shown()], [1, [`${start}#/list`, 0]]);
});

test("the browser's Back posts back, and Forward is taken back", async () => {
  const { window, hear, shown, service } = await tied({}, answer(popped()));
  await hear(pushed());
  await moved(window, 1, () => window.history.back());
  assert.deepEqual(service.posts.map(([body]) => body), [{ type: "back", from: "n4" }]);
  assert.deepEqual(shown(), [atHome, 0]);
  await moved(window, 2, () => window.history.forward());
  assert.equal(service.posts.length, 1);
  assert.deepEqual(shown(), [atHome, 0]);
});

test("a Back that is refused, or that leads to a question, puts the address right", async () => {
  const problems = [];
  const question = change(3, { op: "present", on: "n4", node: { id: "n6", kind: "alert", name: "discard" } });
  const { window, hear, shown, service } = await tied({ options: { onProblem: ({ code }) => problems.push(code) } }, problem(409, "not-accepted"), answer(question));
  await hear(pushed());
  await moved(window, 2, () => window.history.back());
  assert.deepEqual([problems, shown()], [["not-accepted"], [atDetail, 1]]);
  await moved(window, 2, () => window.history.back());
  assert.deepEqual([problems.length, service.posts.length, shown()], [1, 2, [`${atDetail}/discard`, 2]]);
});

/** A page whose history is tied to a session that shows `home` and three details. */
async function tiedDeep(options, ...answers) {
  const made = await tied({ options }, ...answers);
  const push = (revision, id) => change(revision, { op: "push", in: "n1", node: { id, kind: "screen", name: "detail" } });
  for (const [index, id] of ["n4", "n6", "n7"].entries()) await made.hear(push(index + 2, id));
  assert.deepEqual(made.shown(), [`${atDetail}/detail/detail`, 3]);
  return made;
}

const asked = (on, revision) => change(revision, { op: "present", on, node: { id: "n9", kind: "alert", name: "discard" } });

test("Back over several pages of a stack is one pop, whose question the history waits for", async () => {
  const gone = { ...change(6, { op: "dismiss", node: "n9" }, { op: "pop", in: "n1", to: "n2" }), events: [{ type: "questionEnded", reason: "answered" }] };
  const { window, shown, service, session: one } = await tiedDeep({}, answer(asked("n7", 5)), answer(gone));
  const { length } = window.history;
  await moved(window, 2, () => window.history.go(-3));
  assert.deepEqual(service.posts.map(([body]) => body), [{ type: "pop", node: "n4", from: "n7" }]);
  assert.deepEqual([shown(), window.history.length], [[`${atDetail}/detail/detail/discard`, 4], length + 1]);
  await moved(window, 1, () => one.step("discarded"));
  assert.deepEqual([shown(), window.history.length], [[atHome, 0], length + 1]);
});

test("with an own back, Back over several entries posts as many, and ends at a question", async () => {
  let made;
  const back = () => made.session.back();
  made = await tiedDeep({ back }, answer(change(5, { op: "pop", in: "n1", to: "n6" })), answer(asked("n6", 6)));
  await moved(made.window, 2, () => made.window.history.go(-3));
  assert.equal(made.service.posts.length, 2);
  assert.deepEqual(made.shown(), [`${atDetail}/detail/discard`, 3]);
});

test("a guard on the last page has an entry of its own, and the page is left once the user has agreed", async (context) => {
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

/** A session that shows what a test gives, until the test says that the user has agreed to leave the app. */
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

test("leaving the page waits for a move of the history that has begun, and nothing moves it afterwards", async (context) => {
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

test("a page that cannot be left, because nothing was before it, goes on with its history", async (context) => {
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

test("the entry for the question of the last page stays while the details of its tree are on their way", async () => {
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

test("another client's change while Back is on its way is followed afterwards", async () => {
  let give;
  const { window, hear, shown } = await tied({}, () => new Promise((resolve) => { give = resolve; }));
  await hear(pushed());
  await moved(window, 1, () => window.history.back());
  await hear(change(3, { op: "push", in: "n1", node: { id: "n6", kind: "screen", name: "list" } }));
  assert.deepEqual(shown(), [atDetail.replace("/detail", ""), 0]);
  await moved(window, 1, () => give(answer(change(4, { op: "pop", in: "n1", to: "n4" }))));
  assert.deepEqual(shown(), [atDetail, 1]);
});

test("an address that was typed is handed on, and the session's own takes its place", async () => {
  const seen = [];
  const { window, hear, shown } = await tied({ options: { onAddress: ({ hash }) => seen.push([hash, window.location.hash]) } });
  await hear(pushed());
  await moved(window, 2, () => { window.location.hash = "#/list"; });
  assert.deepEqual([seen, shown()], [[["#/list", "#/home/detail"]], [atDetail, 1]]);
});

test("the address of the session typed again changes nothing", async () => {
  const seen = [];
  const { window, hear, shown } = await tied({ options: { onAddress: ({ hash }) => seen.push(hash) } });
  await hear(pushed());
  window.history.replaceState(null, "", window.location.href);
  await moved(window, 1, () => window.dispatchEvent(new window.PopStateEvent("popstate", { state: null })));
  assert.deepEqual([seen, shown()], [[], [atDetail, 1]]);
});

test("the address with which the page was loaded is handed on, but not the session's own, nor after a reload", async () => {
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

test("after a reload the history goes back over the entries that the session no longer has, once, also if it was tied twice", async () => {
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

test("Back leads also to the first entry of a page that began with several screens", async () => {
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

test("a history that was untied is left as it is", async () => {
  const { hear, untie, shown, window, service, session: one } = await tied({}, answer(change(3)));
  await hear(pushed());
  untie();
  assert.equal(one.getSnapshot().connection, "idle");
  await one.act({ step: "rowIsPicked" });
  await moved(window, 1, () => window.history.back());
  assert.deepEqual([service.posts.length, shown()], [1, [atHome, 0]]);
});

test("a history that is untied while Back is on its way is left as it is", async () => {
  let give;
  const { hear, untie, shown, window } = await tied({}, () => new Promise((resolve) => { give = resolve; }));
  await hear(pushed());
  await moved(window, 1, () => window.history.back());
  untie();
  give(answer({ outcome: "unchanged", revision: 2, events: [], changes: [] }));
  await settled();
  assert.deepEqual(shown(), [atHome, 0]);
});

test("a change while the history is going back makes it go no further", async (context) => {
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

test("Back after the session has ended posts nothing, and stays", async () => {
  const problems = [];
  const { hear, shown, window, service, session: one } = await tied({ options: { onProblem: (problem) => problems.push(problem) } });
  await hear(pushed());
  one.close();
  await moved(window, 1, () => window.history.back());
  assert.deepEqual([service.posts, problems, shown()], [[], [], [atHome, 0]]);
});

/** The page of a session whose engine shows each Back, and whose service answers none of them. `run` says when it is shown. */
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

for (const [when, run] of [["in the call"], ["in another page, soon after the call", setImmediate]]) {
  test(`a Back that an engine shows ${when} is followed before its answer, and so is what comes after it`, async () => {
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

test("a Back that leads to a question is followed before its answer too", async () => {
  const { window, shown, untie } = await tiedOffline({ leads: { "home,list,detail": ["home", "list", "detail", "discard"] } });
  await moved(window, 2, () => window.history.back());
  assert.deepEqual(shown(), ["home/list/detail/discard", 3]);
  await moved(window, 1, () => window.history.back());
  assert.deepEqual(shown(), ["home/list/detail", 2]);
  untie();
});

test("refusals without onProblem are written to the console", async (context) => {
  const warned = context.mock.method(console, "warn", () => {});
  const { hear, window } = await tied({}, problem(409, "not-accepted"));
  await hear(pushed());
  await moved(window, 1, () => window.history.back());
  assert.deepEqual(warned.mock.calls.map(({ arguments: [{ code }] }) => code), ["not-accepted"]);
});

test("an app can write its own addresses, and other members of an entry's state stay", async () => {
  const addressOf = ({ visible }) => `/shop/${visible.screen}`;
  const window = pageAt(start);
  window.history.replaceState({ scroll: 7 }, "");
  const { hear, shown } = await tied({ window, options: { addressOf } });
  assert.deepEqual(window.history.state, { scroll: 7, cairnDepth: 0 });
  await hear(pushed());
  assert.deepEqual(shown(), ["http://cairn.example/shop/detail", 1]);
});
