import assert from "node:assert/strict";
import test from "node:test";
import { Tabs } from "../src/tabs.js";
import { settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { Browser } from "../testing/pages.js";

/** A page that leads or follows, with what it was asked for: `{ tabs, done, seen, kill }`. `answer` does the posts. */
async function opened(browser, page, { answer = async (uid) => ({ uid }), lead = async () => {} } = {}) {
  const { locks, channels, kill } = browser.page();
  const made = { done: [], seen: [], taken: [], leads: 0, kill, events: { after: undefined, since: (after) => [`behind ${after} by ${page}`], take: (events) => made.taken.push(events) } };
  made.tabs = new Tabs({
    locks, channels, name: "s1", page, shown: () => `shown by ${page}`, show: (snapshot) => made.seen.push(snapshot),
    events: made.events,
    lead: async () => { made.leads += 1; await lead(); },
    post: (uid, post) => { made.done.push([uid, post]); return answer(uid); },
  });
  made.isFirst = await made.tabs.join();
  await settled();
  return made;
}

const never = () => new Promise(() => {});

test("the first page leads, the others follow and show what it shows", async () => {
  const browser = new Browser();
  const [one, two, three] = [await opened(browser, "a"), await opened(browser, "b"), await opened(browser, "c")];
  assert.deepEqual([one.isFirst, two.isFirst, three.isFirst], [true, false, false]);
  one.tabs.show("next");
  await settled();
  assert.deepEqual([two.seen, three.seen.at(-1), one.seen], [["shown by a", "shown by a", "next"], "next", []]);
});

test("a follower's post is done once, by the leader, and its answer or problem comes back", async () => {
  const browser = new Browser();
  const problem = Object.assign(new Error("no"), { body: { code: "guarded", status: 409 } });
  const one = await opened(browser, "a", { answer: async (uid) => { if (uid === "b-2") throw problem; return { uid }; } });
  const two = await opened(browser, "b");
  const posts = [two.tabs.post({ body: 1 }), two.tabs.post({ body: 2 })].map(watched);
  await settled();
  assert.deepEqual([posts[0].value, posts[1].reason], [{ uid: "b-1" }, { code: "guarded", status: 409 }]);
  assert.deepEqual([one.done, two.done, two.tabs.size], [[["b-1", { body: 1 }], ["b-2", { body: 2 }]], [], 0]);
});

test("when the leader is gone, the next page leads, and has all posts that are not answered", async () => {
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

test("a post that is made while no page leads waits for the next leader, which first restores", async () => {
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

test("a page that leaves rejects its posts and lets the next one lead", async () => {
  const browser = new Browser();
  const one = await opened(browser, "a", { answer: never });
  const two = await opened(browser, "b");
  const post = watched(one.tabs.post("x"));
  one.tabs.leave({ code: "closed" });
  await settled();
  assert.deepEqual([post.reason, two.tabs.isLeading], [{ code: "closed" }, true]);
  two.tabs.leave({ code: "closed" });
});

test("a follower that leaves is not given the lock later", async () => {
  const browser = new Browser();
  const [one, two, three] = [await opened(browser, "a"), await opened(browser, "b"), await opened(browser, "c")];
  two.tabs.leave({ code: "closed" });
  one.kill();
  await settled();
  assert.deepEqual([two.leads, three.leads], [0, 1]);
});

test("events go to pages that need them, each of which first gets those behind its own", async () => {
  const browser = new Browser();
  const [one, two, three] = [await opened(browser, "a"), await opened(browser, "b"), await opened(browser, "c")];
  one.tabs.share(["lost"]);
  two.events.after = 4;
  two.tabs.listen();
  await settled();
  one.tabs.share(["next"]);
  await settled();
  // The feed of a page without readers ignores them.
  assert.deepEqual([two.taken, three.taken], [[["behind 4 by a"], ["next"]], [["next"]]]);
  one.kill();
  await settled();
  await settled();
  three.events.after = 5;
  three.tabs.listen();
  await settled();
  assert.deepEqual(three.taken.slice(1), [["behind 5 by b"]]);
});
