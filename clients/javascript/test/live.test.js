import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { operatorKey, revisionsTo, startService, until } from "../testing/service.js";

let service;
before(async () => { service = await startService(); });
after(() => service.stop());

/** Returns two clients of one session of the app `delivery`. */
async function two(options = {}) {
  const one = await start({ baseURL: service.url, app: "delivery", accessToken: "t", ...options });
  return { one, other: await connect({ baseURL: service.url, id: one.id, secret: one.secret, ...options }) };
}

for (const follow of ["events", "poll"]) {
  test(`two clients of one session show the same tree with \`follow: "${follow}"\``, async () => {
    const { one, other } = await two({ follow });
    const leave = other.subscribe(() => {});
    await until(other, (snapshot) => snapshot.connection === "live" || follow === "poll");
    await one.step("restaurantPicked", { restaurantId: 4 });
    await until(other, (snapshot) => snapshot.visible.screen === "restaurant" && snapshot.accepts.steps.some(({ step }) => step === "dishPicked"));
    await other.step("dishPicked", { dishId: 2 });
    await one.refresh();
    assert.deepEqual(other.tree, one.tree);
    assert.equal(other.revision, one.revision);
    leave();
  });
}

test("a reader receives each change once with its cause, including the changes of its own client", async () => {
  const { one, other } = await two();
  const seen = [];
  const loop = (async () => {
    for await (const event of one.events()) seen.push([event.revision, event.cause.step ?? event.cause.type]);
  })();
  await until(one, (snapshot) => snapshot.connection === "live");
  await one.step("restaurantPicked", { restaurantId: 4 });
  await other.back({ from: null });
  await one.act([{ type: "select", tab: 1 }, { type: "select", tab: 0 }]);
  await one.end();
  await loop;
  const own = seen.slice(0, 4);
  assert.deepEqual(own, [[2, "restaurantPicked"], [3, "back"], [4, "select"], [5, "select"]]);
});

test("a client that begins to read events late receives each missed change once", async () => {
  const { one, other } = await two();
  for (let turn = 0; turn < 20; turn += 1) await one.select(turn % 3);
  const revisions = [];
  const loop = (async () => {
    for await (const event of other.events()) {
      revisions.push(event.revision);
      if (event.revision === one.revision) break;
    }
  })();
  await loop;
  assert.deepEqual(revisions, Array.from({ length: one.revision - 1 }, (_, index) => index + 2));
  assert.deepEqual(other.tree, one.tree);
});

test("if another client ends the session, it ends in this client too, which then rejects actions", async () => {
  const { one, other } = await two();
  const leave = other.subscribe(() => {});
  await until(other, (snapshot) => snapshot.connection === "live");
  await one.end();
  await until(other, (snapshot) => snapshot.over === "deleted");
  await assert.rejects(other.back(), { code: "over" });
  leave();
});

test("a client reconnects to a restarted service, and another client's post during the restart is performed once", async () => {
  const { one, other } = await two();
  const leave = other.subscribe(() => {});
  await until(other, (snapshot) => snapshot.connection === "live");
  await one.step("restaurantPicked", { restaurantId: 4 });
  const restart = service.restart();
  const post = one.step("dishPicked", { dishId: 2 });
  await Promise.all([restart, post]);
  await until(other, (snapshot) => snapshot.visible.screen === "dish" && snapshot.connection === "live");
  assert.equal(other.tree.children[0].children.length, 3);
  leave();
});

for (const moment of ["before the stream is back", "after it"]) {
  test(`a reader receives each change once over a kill and a restart, including queued posts and another client's, ${moment}`, async () => {
    const { one, other } = await two();
    const reader = one.events();
    await until(one, (snapshot) => snapshot.connection === "live");
    await one.step("restaurantPicked", { restaurantId: 4 });
    await service.kill();
    const queued = Array.from({ length: 20 }, (_, index) => one.select(index % 3, { from: null }));
    if (moment === "after it") await until(one, (snapshot) => snapshot.connection === "offline");
    await service.restart();
    const foreign = Array.from({ length: 5 }, (_, index) => other.select(index % 3, { from: null }));
    await Promise.all([...queued, ...foreign]);
    await other.refresh();
    const last = other.revision;
    assert.deepEqual(await revisionsTo(last, reader), Array.from({ length: last - 1 }, (_, index) => index + 2));
    await one.refresh();
    assert.deepEqual(one.tree, other.tree);
  });
}

test("if the service is killed three times while two clients post, both clients receive each change once", async () => {
  const { one, other } = await two();
  const readers = [one.events(), other.events()];
  await Promise.all([one, other].map((client) => until(client, (snapshot) => snapshot.connection === "live")));
  const [posts, open] = [[], { from: null }];
  for (let round = 0; round < 3; round += 1) {
    for (let turn = 0; turn < 6; turn += 1) posts.push(one.select((round + turn) % 3, open), other.select((round + 2 * turn + 1) % 3, open));
    await posts.at(-5 - round);
    await service.kill();
    for (let turn = 0; turn < 3; turn += 1) posts.push(one.select((turn + 1) % 3, open));
    await service.restart();
  }
  await Promise.all(posts);
  await one.refresh();
  const expected = Array.from({ length: one.revision - 1 }, (_, index) => index + 2);
  for (const reader of readers) assert.deepEqual(await revisionsTo(one.revision, reader), expected);
  await other.refresh();
  assert.deepEqual(one.tree, other.tree);
});

test("a subscriber is notified of the effect of a timer", async () => {
  const one = await start({ baseURL: service.url, app: "delivery", accessToken: "t", clock: "manual" });
  const operated = await connect({ baseURL: service.url, id: one.id, secret: operatorKey });
  const leave = one.subscribe(() => {});
  await one.step("restaurantPicked", { restaurantId: 4 });
  await one.step("checkoutRequested");
  await operated.advance("15m");
  await until(one, (snapshot) => snapshot.visible.screen === "expiryNotice");
  leave();
});

test("a plan returns the effect of an action without performing it", async () => {
  const { one } = await two();
  const plan = await one.plan({ step: "restaurantPicked", params: { restaurantId: 4 } });
  assert.deepEqual([plan.plan, plan.visible.screen, one.visible.screen], [true, "restaurant", "restaurantList"]);
  assert.equal((await one.open("eat://r/3", { plan: true })).link.index, 0);
  await assert.rejects(one.open("eat://nowhere", { plan: true }), { code: "unknown-link" });
  assert.equal((await one.at(one.revision)).revision, 1);
});
