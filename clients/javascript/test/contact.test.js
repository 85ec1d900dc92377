import assert from "node:assert/strict";
import test from "node:test";
import { Contact } from "../src/session/contact.js";
import { settled } from "../testing/manual-machine.js";

const hour = 3_600_000;

/** Returns the parts of a predicting session that `Contact` uses. `posts` has the path and body of each post. */
function core(more = {}) {
  const made = {
    posts: [], time: 0, role: { isHeld: false }, outbox: { size: 0 }, connection: { isOffline: false }, predictions: {},
    picture: { now: { predicts: true, pending: [] } }, transport: { machine: { now: () => made.time } },
    posting: { async post(path, body) { made.posts.push([path, body]); return { outcome: "performed" }; } }, ...more,
  };
  return made;
}

const contact = ["/actions", { type: "contact" }];
const heldLogout = { kind: "action", held: "h1", action: "logout", clients: 1 };

test("a client of an app that works offline reports when it begins to predict, and again when its newest action is older than 12 hours", async () => {
  const session = core({ predictions: { offlineFor: 86_400_000 } });
  const made = new Contact(session);
  made.check();
  await settled();
  assert.deepEqual(session.posts, [contact]);
  session.time = 11 * hour;
  made.check();
  made.posted([{ item: { number: 2 }, answer: {} }]);
  session.time = 22 * hour;
  made.check();
  assert.equal(session.posts.length, 1);
  session.time = 24 * hour;
  made.check();
  made.check();
  await settled();
  assert.equal(session.posts.length, 2);
});

test("a client of another app reports only if an action is held, once for each", async () => {
  const session = core();
  const made = new Contact(session);
  made.check();
  assert.deepEqual(session.posts, []);
  made.heard({ events: [{ type: "actionHeld", held: "h1" }] });
  await settled();
  assert.deepEqual(session.posts, [contact]);
  // The action is still held, because it waits for another client.
  session.picture.now.pending = [heldLogout];
  made.posted([]);
  made.heard({});
  assert.equal(session.posts.length, 1);
  made.heard({ events: [{ type: "actionHeld", held: "h2" }] });
  await settled();
  assert.equal(session.posts.length, 2);
});

test("the report comes after everything else that waits, and with a network", async () => {
  const session = core({ outbox: { size: 2 }, picture: { now: { predicts: true, pending: [heldLogout] } } });
  const made = new Contact(session);
  made.check();
  session.outbox.size = 0;
  session.connection.isOffline = true;
  made.posted([]);
  assert.deepEqual(session.posts, []);
  session.connection.isOffline = false;
  made.check();
  await settled();
  assert.deepEqual(session.posts, [contact]);
});

test("a report that fails is repeated for a held action, but not at once", async () => {
  const session = core({ picture: { now: { predicts: true, pending: [heldLogout] } } });
  const failing = { async post() { session.posts.push("failed"); throw new Error("no network"); } };
  const { posting } = session;
  session.posting = failing;
  const made = new Contact(session);
  made.check();
  await settled();
  assert.deepEqual(session.posts, ["failed"]);
  session.posting = posting;
  made.check();
  await settled();
  assert.deepEqual(session.posts, ["failed", contact]);
});

test("a page that does not lead, and a client that predicts nothing, report nothing", () => {
  for (const more of [{ role: { isHeld: true } }, { picture: { now: { predicts: false, pending: [heldLogout] } } }]) {
    const session = core(more);
    new Contact(session).check();
    assert.deepEqual(session.posts, []);
  }
});
