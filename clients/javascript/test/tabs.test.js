import assert from "node:assert/strict";
import test from "node:test";
import { Tabs } from "../src/tabs.js";
import { ManualMachine, settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { Browser } from "../testing/pages.js";

/**
 * Opens a page, which leads or follows. Records the posts that it performs (`done`), the snapshots that it shows (`seen`), the events that it receives
 * (`taken`), and how often it begins to lead (`leads`) and loses the lead (`loses`). `answer` returns the result of a post.
 */
async function opened(browser, page, { answer = async (uid) => ({ uid }), lead = async () => {}, machine } = {}) {
  const { locks, channels, timers, ...life } = browser.page(machine?.timers);
  const made = { done: [], seen: [], taken: [], overs: [], leads: 0, loses: 0, ...life, events: { after: undefined, since: (after) => [`behind ${after} by ${page}`], take: (events) => made.taken.push(events) } };
  made.tabs = new Tabs({
    locks, channels, timers, now: machine?.now ?? (() => 0), name: "s1", lose: () => { made.loses += 1; }, sentAs: () => undefined, page, shown: () => `shown by ${page}`, show: (snapshot) => made.seen.push(snapshot),
    events: made.events, onOver: (reason) => made.overs.push(reason),
    lead: async () => { made.leads += 1; await lead(); },
    post: (uid, post) => { made.done.push([uid, post]); return answer(uid); },
  });
  made.isFirst = await made.tabs.join();
  await settled();
  return made;
}

const never = () => new Promise(() => {});

test("the first page leads, and the others follow and show its snapshots", async () => {
  const browser = new Browser();
  const [one, two, three] = [await opened(browser, "a"), await opened(browser, "b"), await opened(browser, "c")];
  assert.deepEqual([one.isFirst, two.isFirst, three.isFirst], [true, false, false]);
  one.tabs.show("next");
  await settled();
  assert.deepEqual([two.seen, three.seen.at(-1), one.seen], [["shown by a", "shown by a", "next"], "next", []]);
});

test("the leader performs a follower's post once, and the follower receives the answer or the problem", async () => {
  const browser = new Browser();
  const problem = Object.assign(new Error("no"), { body: { code: "guarded", status: 409 } });
  const one = await opened(browser, "a", { answer: async (uid) => { if (uid === "b-2") throw problem; return { uid }; } });
  const two = await opened(browser, "b");
  const posts = [two.tabs.post({ body: 1 }), two.tabs.post({ body: 2 })].map(watched);
  await settled();
  assert.deepEqual([posts[0].value, posts[1].reason], [{ uid: "b-1" }, { code: "guarded", status: 409 }]);
  assert.deepEqual([one.done, two.done, two.tabs.size], [[["b-1", { body: 1 }], ["b-2", { body: 2 }]], [], 0]);
});

test("when the leader is killed, the next page leads, and performs all unanswered posts", async () => {
  const browser = new Browser();
  const one = await opened(browser, "a", { answer: never });
  const two = await opened(browser, "b");
  const three = await opened(browser, "c");
  const posts = [two.tabs.post("x"), three.tabs.post("y")].map(watched);
  await settled();
  one.kill();
  await settled();
  await settled();
  assert.deepEqual([two.tabs.isLeading, three.tabs.isLeading, two.leads], [true, false, 1]);
  assert.deepEqual(two.done, [["b-1", "x"], ["c-1", "y"]]);
  assert.deepEqual(posts.map(({ value }) => value), [{ uid: "b-1" }, { uid: "c-1" }]);
  assert.equal(three.seen.at(-1), "shown by b");
});

test("a post without a leading page waits until the next leader is ready", async () => {
  const browser = new Browser();
  const one = await opened(browser, "a", { answer: never });
  let ready;
  const two = await opened(browser, "b", { lead: () => new Promise((resolve) => { ready = resolve; }) });
  one.kill();
  await settled();
  const post = watched(two.tabs.post("x"));
  await settled();
  assert.deepEqual([two.done, post.state], [[], "waiting"]);
  ready();
  await settled();
  assert.deepEqual([two.done, post.state], [[["b-1", "x"]], "done"]);
});

test("a page that leaves rejects its posts, and the next page leads", async () => {
  const browser = new Browser();
  const one = await opened(browser, "a", { answer: never });
  const two = await opened(browser, "b");
  const post = watched(one.tabs.post("x"));
  one.tabs.leave({ code: "closed" });
  await settled();
  assert.deepEqual([post.reason, two.tabs.isLeading], [{ code: "closed" }, true]);
  two.tabs.leave({ code: "closed" });
});

test("a follower that has left does not get the lock later", async () => {
  const browser = new Browser();
  const [one, two, three] = [await opened(browser, "a"), await opened(browser, "b"), await opened(browser, "c")];
  two.tabs.leave({ code: "closed" });
  one.kill();
  await settled();
  assert.deepEqual([two.leads, three.leads], [0, 1]);
});

for (const [who, number] of [["the leading page", 0], ["a following page", 1]]) {
  test(`${who} notifies all others of the session's end when it leaves`, async () => {
    const browser = new Browser();
    const pages = [await opened(browser, "a"), await opened(browser, "b"), await opened(browser, "c")];
    pages[number].tabs.leave({ code: "over" }, "expired");
    await settled();
    assert.deepEqual(pages.map(({ overs }) => overs), [0, 1, 2].map((index) => (index === number ? [] : ["expired"])));
  });
}

test("a page that listens first receives the events after its own revision, and then each later event", async () => {
  const browser = new Browser();
  const [one, two, three] = [await opened(browser, "a"), await opened(browser, "b"), await opened(browser, "c")];
  one.tabs.share(["lost"]);
  two.events.after = 4;
  two.tabs.listen();
  await settled();
  one.tabs.share(["next"]);
  await settled();
  // The third page receives this event too, but without readers its feed ignores the event.
  assert.deepEqual([two.taken, three.taken], [[["behind 4 by a"], ["next"]], [["next"]]]);
  one.kill();
  await settled();
  await settled();
  three.events.after = 5;
  three.tabs.listen();
  await settled();
  assert.deepEqual(three.taken.slice(1), [["behind 5 by b"]]);
});

/** Opens a page with a manual clock. */
const timed = (browser, page, machine, more) => opened(browser, page, { machine, ...more });

test("a frozen leader loses its lock to a page with waiting posts, and follows when it wakes up", async () => {
  const [browser, machine] = [new Browser(), new ManualMachine()];
  const one = await timed(browser, "a", machine, { answer: never });
  const two = await timed(browser, "b", machine);
  const held = watched(one.tabs.post("x"));
  one.freeze();
  const post = watched(two.tabs.post("y"));
  await machine.advance(4_499);
  assert.deepEqual([two.tabs.isLeading, post.state, machine.due], [false, "waiting", [1]]);
  await machine.advance(1);
  assert.deepEqual([two.tabs.isLeading, two.done, post.value, machine.due], [true, [["b-1", "y"]], { uid: "b-1" }, []]);
  one.wake();
  assert.equal(await one.tabs.isStillLeading(), false);
  await settled();
  assert.deepEqual([one.tabs.isLeading, one.loses, two.done.at(-1), held.value, one.seen], [false, 1, ["a-1", "x"], { uid: "a-1" }, ["shown by b"]]);
  two.kill();
  await settled();
  assert.equal(one.tabs.isLeading, true);
});

test("a leader that wakes up detects the loss of its lock before the browser reports it", async () => {
  const [browser, machine] = [new Browser(), new ManualMachine()];
  const [one, two] = [await timed(browser, "a", machine), await timed(browser, "b", machine)];
  assert.deepEqual([await one.tabs.isStillLeading(), await two.tabs.isStillLeading()], [true, false]);
  const asked = [];
  one.freeze();
  // This task of the page runs first when the page wakes up.
  one.life.run(() => asked.push(one.tabs.isStillLeading()));
  two.tabs.post("y");
  await machine.advance(4_500);
  one.wake();
  assert.deepEqual([await asked[0], one.loses, await two.tabs.isStillLeading()], [false, 1, true]);
});

test("a leader keeps its lock while it performs a long post, or is still loading", async () => {
  const [browser, machine] = [new Browser(), new ManualMachine()];
  const one = await timed(browser, "a", machine, { answer: never });
  const two = await timed(browser, "b", machine, { lead: never });
  const three = await timed(browser, "c", machine);
  const post = watched(three.tabs.post("x"));
  await machine.advance(60_000);
  assert.deepEqual([one.tabs.isLeading, three.tabs.isLeading, one.done.length, post.state], [true, false, 1, "waiting"]);
  one.kill();
  await machine.advance(60_000);
  assert.deepEqual([two.leads, three.leads], [1, 0]);
  two.freeze();
  await machine.advance(4_500);
  assert.deepEqual([three.leads, post.state], [1, "done"]);
});

test("if two pages take the lock at the same time, only one leads, and performs the posts of both", async () => {
  const [browser, machines] = [new Browser(), [new ManualMachine(), new ManualMachine()]];
  const one = await opened(browser, "a");
  const others = [await timed(browser, "b", machines[0]), await timed(browser, "c", machines[1])];
  one.freeze();
  const posts = others.map(({ tabs }) => watched(tabs.post("x")));
  await Promise.all(machines.map((machine) => machine.advance(4_500)));
  await settled();
  assert.deepEqual(others.map(({ tabs, leads }) => [tabs.isLeading, leads]), [[false, 0], [true, 1]]);
  assert.deepEqual([new Set(others[1].done.map(([uid]) => uid)), posts.map(({ state }) => state)], [new Set(["c-1", "b-1"]), ["done", "done"]]);
  one.wake();
  await settled();
  assert.deepEqual([one, ...others].map(({ tabs }) => tabs.isLeading), [false, false, true]);
  others[1].kill();
  await settled();
  one.kill();
  await settled();
  assert.equal(others[0].tabs.isLeading, true);
});

test("a page that loses its lock before it is ready to lead joins as a follower", async () => {
  const [browser, machine] = [new Browser(), new ManualMachine()];
  const one = opened(browser, "a", { lead: never });
  await settled();
  const two = await timed(browser, "b", machine);
  const post = watched(two.tabs.post("x"));
  browser.lose("s1");
  await settled();
  assert.deepEqual([(await one).isFirst, (await one).loses, two.tabs.isLeading, post.state], [false, 1, true, "done"]);
});

test("a page that was frozen while it waited for the leader asks again before it takes the lock", async () => {
  const [browser, machine] = [new Browser(), new ManualMachine()];
  const one = await timed(browser, "a", machine, { answer: never });
  const two = await timed(browser, "b", machine);
  two.tabs.post("x");
  await machine.advance(1_000);
  two.freeze();
  await machine.advance(60_000);
  two.wake();
  await machine.advance(10_000);
  assert.deepEqual([one.tabs.isLeading, two.tabs.isLeading], [true, false]);
});
