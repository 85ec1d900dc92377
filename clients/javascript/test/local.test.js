import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect } from "../src/node.js";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { answer, problem } from "../testing/scripted-service.js";
import { predictable, startService, until } from "../testing/service.js";

let service;
before(async () => { service = await startService(predictable); });
after(() => service.stop());

/** Returns a device that has stored all that a session of the app needs to begin, and is offline. */
async function prepared() {
  const device = new Device(service.url);
  const session = await device.page().start({ app: "delivery" });
  await device.ready(session.id);
  session.close();
  await settled();
  device.isOnline = false;
  return device;
}

async function history({ id, secret }) {
  const other = await connect({ baseURL: service.url, id, secret, predict: false });
  return (await other.history({ after: 1 })).entries.map(({ action }) => action.tab ?? action.type);
}

test("a session that begins offline is created once, gets its id and secret from the service, and then posts its actions", async () => {
  const device = await prepared();
  const session = await device.page().start({ app: "delivery" });
  assert.match(session.id, /^local-/);
  assert.deepEqual([session.isLocal, session.secret, session.visible.screen], [true, undefined, "restaurantList"]);
  await settled();
  const taps = [watched(session.select(1)), watched(session.select(2))];
  await settled();
  const seen = [];
  let id = session.id;
  session.subscribe(() => { if (session.id !== id) seen.push(session.id); id = session.id; });
  const posts = [];
  device.fetch = (url, init) => { if (init.method === "POST") posts.push([new URL(url).pathname, JSON.parse(init.body)]); return fetch(url, init); };
  await device.goOnline();
  await until(session, ({ waiting }) => waiting === 0);
  await Promise.all(taps.map(({ end }) => end));
  assert.deepEqual([session.isLocal, seen.length, typeof session.secret], [false, 1, "string"]);
  assert.deepEqual(taps.map(({ value }) => value?.outcome), ["performed", "performed"]);
  assert.deepEqual([posts[0][0], posts[0][1].definition, posts.length], ["/v1/sessions", session.getSnapshot().definition, 2]);
  assert.deepEqual(await history(session), [1, 2]);
  await device.disk.until(() => device.stored(session.id) !== undefined);
  assert.equal(device.disk.keys().some((key) => key.includes("local-")), false);
  session.close();
});

test("a new page resumes a session that began offline, and repeats a creation without a response without making a second session", async () => {
  const device = await prepared();
  const page = device.page({ remember: true });
  const session = await page.start({ app: "delivery" });
  session.select(1).catch(() => {});
  await device.disk.until(() => device.stored(session.id)?.pending.length === 1);
  const created = [];
  let lose = true;
  device.fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== "POST" || !url.endsWith("/v1/sessions")) return response;
    created.push((await response.clone().json()).id);
    if (!lose) return response;
    lose = false;
    page.kill();
    throw new TypeError("fetch failed");
  };
  await device.goOnline();
  await device.machine.advance(0);
  while (lose) await settled();
  const next = await device.page().resume();
  assert.equal(next.visible.screen, "orderList");
  await until(next, ({ waiting }) => waiting === 0);
  assert.deepEqual([created.length, new Set(created).size, next.id, await history(next)], [2, 1, created[0], [1]]);
  next.close();
});

test("if the service no longer has the definition, the session is created with the served one, and refused actions are reported", async () => {
  const device = await prepared();
  const rejected = [];
  const session = await device.page().start({ app: "delivery", onRejected: ({ action, code }) => rejected.push([action.step, code]) });
  session.step("restaurantPicked", { restaurantId: 4 });
  const refused = watched(session.step("dishPicked", { dishId: 5 }));
  await settled();
  const bodies = [];
  device.fetch = async (url, init) => {
    if (init.method === "POST" && url.endsWith("/v1/sessions")) {
      bodies.push(JSON.parse(init.body));
      if (bodies.length === 1) return problem(409, "definition-gone");
      const made = await (await fetch(url, init)).json();
      return answer(made, 201, { "Cairn-Engine": "/engine/0000.wasm" });
    }
    if (init.method === "POST") {
      const sent = JSON.parse(init.body);
      const body = { ...sent, actions: sent.actions.map((action) => (action.step === "dishPicked" ? { step: "isGone" } : action)) };
      return fetch(url, { ...init, body: JSON.stringify(body) });
    }
    return fetch(url, init);
  };
  await device.goOnline();
  await until(session, ({ waiting }) => waiting === 0);
  await settled();
  assert.deepEqual(bodies.map(({ definition }) => typeof definition), ["string", "undefined"]);
  assert.deepEqual([rejected.length, rejected[0][0], refused.state], [1, "dishPicked", "refused"]);
  assert.equal(session.visible.screen, "restaurant");
  session.close();
});

test("a session cannot begin offline without a stored definition, with `open`, or with `predict: false`", async () => {
  const device = new Device(service.url);
  device.isOnline = false;
  await assert.rejects(device.page({ attempts: 1 }).start({ app: "delivery" }), { code: "unreachable" });
  const known = await prepared();
  await assert.rejects(known.page({ attempts: 1 }).start({ app: "delivery", open: "delivery://x" }), { code: "unreachable" });
  await assert.rejects(known.page({ attempts: 1 }).start({ app: "delivery", predict: false }), { code: "unreachable" });
});

test("if the service refuses the creation, the session ends and its stored content is deleted", async () => {
  const device = await prepared();
  const session = await device.page().start({ app: "delivery" });
  const tap = watched(session.select(1));
  device.fetch = async () => problem(401, "unauthorized");
  await device.goOnline();
  await until(session, ({ over }) => over !== undefined);
  assert.deepEqual([session.getSnapshot().over, tap.reason?.code], ["credential", "over"]);
  await device.disk.until(() => !device.disk.keys().some((key) => key.includes("local-")));
});

for (const [what, ending, isFrozen] of [
  ["the leading page", 0, false], ["a following page", 1, false], ["the leading page, while the other page is frozen,", 0, true],
]) {
  test(`\`end()\` in ${what} deletes a session that began offline in all pages, and the session is not created later`, async () => {
    const device = await prepared();
    const pages = [device.page({ remember: true }), device.page()];
    const one = await pages[0].start({ app: "delivery" });
    const taps = [watched(one.select(1))];
    await device.disk.until(() => device.stored(one.id)?.pending.length === 1);
    const sessions = [one, await pages[1].resume()];
    await settled();
    taps.push(watched(sessions[1].select(2)));
    await settled();
    if (isFrozen) pages[1].freeze();
    await sessions[ending].end();
    if (ending === 0) assert.deepEqual(device.disk.keys().filter((key) => /local-|remembered/.test(key)), []);
    if (isFrozen) pages[1].wake();
    await settled();
    assert.deepEqual(sessions.map((session) => session.getSnapshot().over), ["deleted", "deleted"]);
    assert.deepEqual(taps.map(({ reason }) => reason?.code), ["over", "over"]);
    await device.goOnline();
    await device.machine.advance(120_000);
    assert.deepEqual(pages.map(({ posts }) => posts), [0, 0]);
    assert.deepEqual(device.disk.keys().filter((key) => /local-|remembered/.test(key)), []);
    assert.equal(await device.page().resume(), undefined);
  });
}

for (const ending of [0, 1]) {
  test(`\`end()\` in ${["the leading page", "a following page"][ending]} aborts the pending request that creates the session`, async () => {
    const device = await prepared();
    const pages = [device.page({ remember: true }), device.page()];
    const one = await pages[0].start({ app: "delivery" });
    await device.disk.until(() => device.stored(one.id) !== undefined);
    const sessions = [one, await pages[1].resume()];
    await settled();
    let arrived;
    const isThere = new Promise((resolve) => { arrived = resolve; });
    device.fetch = (url, init) => new Promise((_, reject) => {
      init.signal.addEventListener("abort", () => reject(init.signal.reason));
      if (init.method === "POST") arrived(init.signal);
    });
    await device.goOnline();
    const signal = await isThere;
    await sessions[ending].end();
    await device.machine.advance(120_000);
    assert.deepEqual([signal.aborted, ...pages.map(({ posts }) => posts)], [true, 1, 0]);
    assert.deepEqual(sessions.map((session) => session.getSnapshot().over), ["deleted", "deleted"]);
    assert.deepEqual(device.disk.keys().filter((key) => /local-|remembered/.test(key)), []);
  });
}

test("another page of a session that began offline adopts the service's id, and posts its own actions when it leads", async () => {
  const device = await prepared();
  const pages = [device.page({ remember: true }), device.page()];
  const one = await pages[0].start({ app: "delivery" });
  await settled();
  const other = await pages[1].resume();
  assert.deepEqual([other.id, other.isLocal], [one.id, true]);
  other.select(1).catch(() => {});
  await settled();
  assert.equal(one.visible.screen, "orderList");
  await device.goOnline();
  await until(other, ({ waiting, revision }) => waiting === 0 && revision === 2);
  await settled();
  assert.deepEqual([other.id, other.secret, other.isLocal], [one.id, one.secret, false]);
  pages[0].kill();
  await settled();
  await other.select(2);
  assert.deepEqual(await history(other), [1, 2]);
  other.close();
});

test("`end()` in a following page also ends the session in the leading page, even if that page cannot receive events", async () => {
  const device = new Device(service.url);
  const pages = [device.page({ remember: true }), device.page({ remember: true })];
  const one = await pages[0].start({ app: "delivery" });
  await device.ready(one.id);
  device.fetch = (url, init) => (url.includes("/events") ? Promise.reject(new TypeError("fetch failed")) : fetch(url, init));
  const other = await pages[1].connect({ id: one.id, secret: one.secret });
  await settled();
  await other.end();
  await settled();
  assert.deepEqual([one, other].map((session) => session.getSnapshot().over), ["deleted", "deleted"]);
  assert.deepEqual(device.disk.keys().filter((key) => /^(session|remembered)/.test(key)), []);
});
