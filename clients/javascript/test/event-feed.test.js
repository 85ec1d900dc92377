import assert from "node:assert/strict";
import test from "node:test";
import { EventFeed } from "../src/session/event-feed.js";

/** Returns a page's feed at a revision, with the delivered events (`put`) and the revisions after which it has requested events (`asks`). */
function opened(revision) {
  const made = { put: [], asks: [], picture: { newest: { id: `id ${revision}`, revision }, confirmed: { revision } } };
  made.feed = new EventFeed({ picture: made.picture, put: ({ type, revision: at }) => made.put.push(`${type} ${at}`), ask: () => made.asks.push(made.feed.after) });
  return made;
}

const change = (revision) => ({ type: "change", revision });
const shared = (...revisions) => revisions.map((revision) => ({ event: change(revision), id: `id ${revision}` }));
const revisionsOf = (events) => events.map(({ event }) => `${event.type} ${event.revision}`);

test("the leading page returns the events since it began to lead, and a `reset` instead if earlier events are requested", () => {
  const { feed, picture } = opened(3);
  assert.deepEqual([feed.begin(), feed.since(3)], [{ id: "id 3", revision: 3 }, []]);
  for (const revision of [4, 5]) feed.add(change(revision), `id ${revision}`);
  picture.confirmed = { revision: 6 };
  assert.deepEqual([3, 4, 5].map((after) => revisionsOf(feed.since(after))), [["change 4", "change 5"], ["change 5"], []]);
  assert.deepEqual(feed.since(2), [{ event: { type: "reset", revision: 6, session: { revision: 6 } }, id: "id 3" }]);
  feed.add({ type: "reset", revision: 5 }, "id 5");
  assert.deepEqual([5, 4].map((after) => revisionsOf(feed.since(after))), [[], ["reset 6"]]);
});

test("the leading page keeps the newest hundred events", () => {
  const { feed, picture } = opened(0);
  feed.begin();
  for (let revision = 1; revision <= 101; revision += 1) feed.add(change(revision), `id ${revision}`);
  picture.confirmed = { revision: 101 };
  assert.deepEqual([feed.since(1).length, revisionsOf(feed.since(0))], [100, ["reset 101"]]);
});

test("readers of a following page receive each event once and in order, and the page requests missing events", () => {
  const { feed, put, asks } = opened(3);
  feed.take(shared(4));
  feed.listen(true);
  feed.listen(true);
  feed.take(shared(3, 4, 4));
  feed.take(shared(6, 7));
  feed.take(shared(5, 6));
  feed.take([{ event: { type: "reset", revision: 2 }, id: "id 2" }]);
  assert.deepEqual([put, asks], [["change 4", "change 5", "change 6", "reset 2"], [3, 4]]);
  assert.deepEqual(feed.begin(), { id: "id 2", revision: 2 });
});

test("a page without readers delivers no events, and does not move its position", () => {
  const { feed, put, asks } = opened(3);
  feed.listen(true);
  feed.listen(false);
  feed.take(shared(4));
  assert.deepEqual([put, asks, feed.begin()], [[], [3, undefined], { id: "id 3", revision: 3 }]);
});
