import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect } from "../src/node.js";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { problem } from "../testing/scripted-service.js";
import { operatorKey, predictable, startService, until } from "../testing/service.js";

let service;
before(async () => { service = await startService(predictable); });
after(() => service.stop());

/** Returns a device, and a page that has started a session, once the session and its engine are stored: `{ device, page, session }`. */
async function begun(more = {}, given = {}) {
  const device = new Device(service.url);
  const page = device.page(more);
  const session = await page.start({ app: "delivery", ...given });
  await device.ready(session.id);
  return { device, page, session };
}

/** Returns the service's history: each action with its tab or params, and with the number that the client gave it. */
async function history({ id, secret }) {
  const other = await connect({ baseURL: service.url, id, secret, predict: false });
  const { entries } = await other.history({ after: 1 });
  return entries.map(({ action, sender }) => [action.type ?? action.step, action.tab ?? action.params, sender?.action]);
}

const storedText = (device) => JSON.stringify(device.disk.keys().filter((key) => !key.startsWith("engine")).map((key) => device.disk.stored(key)));
const pendingOf = (device, id) => device.stored(id)?.pending.map(({ number, body }) => [number, body.tab]);

test("a new page shows the last screen without the network, and later sends the waiting actions under their numbers", async () => {
  const { device, page, session } = await begun();
  device.isOnline = false;
  session.select(1).catch(() => {});
  session.select(2).catch(() => {});
  await device.disk.until(() => pendingOf(device, session.id)?.length === 2);
  page.kill();
  const next = await device.page().connect({ id: session.id, secret: session.secret });
  assert.deepEqual([next.visible.screen, next.revision, next.getSnapshot().waiting], ["profileHome", 1, 2]);
  assert.deepEqual(pendingOf(device, session.id), [[1, 1], [2, 2]]);
  next.select(0);
  assert.equal(next.getSnapshot().waiting, 3);
  await device.goOnline();
  await until(next, ({ waiting }) => waiting === 0);
  assert.deepEqual(await history(session), [["select", 1, 1], ["select", 2, 2], ["select", 0, 3]]);
  assert.deepEqual([next.visible.screen, next.revision, device.notices], ["restaurantList", 4, []]);
  next.close();
});

test("a new page predicts without the network, with the stored engine, definition and state", async () => {
  const { device, page, session } = await begun();
  await session.select(1);
  device.isOnline = false;
  await device.disk.until(() => device.stored(session.id).replica.log.length === 1);
  page.kill();
  const next = await device.page().connect({ id: session.id, secret: session.secret });
  assert.deepEqual([next.revision, next.visible.screen], [2, "orderList"]);
  // The engine is loaded from the storage. The step is shown once the engine is ready.
  next.step("orderPicked", { orderId: 7 }).catch(() => {});
  await until(next, ({ visible }) => visible.screen === "phone");
  assert.deepEqual([next.revision, next.stack.length, device.notices], [2, 2, []]);
  next.close();
});

test("`close` leaves in the storage all that the next page needs to predict without the network", async () => {
  const { device, session } = await begun();
  await session.select(1);
  session.close();
  await settled();
  device.isOnline = false;
  const next = await device.page().connect({ id: session.id, secret: session.secret });
  await until(next, ({ predicts }) => predicts);
  next.step("orderPicked", { orderId: 7 }).catch(() => {});
  assert.deepEqual([next.visible.screen, device.notices], ["phone", []]);
  next.close();
});

test("an action whose response was lost with its page runs only once", async () => {
  const { device, page, session } = await begun();
  let arrived;
  const isThere = new Promise((resolve) => { arrived = resolve; });
  device.fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== "POST") return response;
    arrived();
    return new Promise(() => {});
  };
  session.select(1).catch(() => {});
  await isThere;
  page.kill();
  device.fetch = fetch;
  const next = await device.page().connect({ id: session.id, secret: session.secret });
  await until(next, ({ waiting }) => waiting === 0);
  await next.select(2);
  assert.deepEqual(await history(session), [["select", 1, 1], ["select", 2, 2]]);
  next.close();
});

test("the next page shows an action once if its event is stored without its response, and also shows the step after it", async () => {
  const { device, page, session } = await begun();
  session.subscribe(() => {});
  await until(session, ({ connection }) => connection === "live");
  device.fetch = async (url, init) => {
    const response = await fetch(url, init);
    return init?.method === "POST" ? new Promise(() => {}) : response;
  };
  session.act({ step: "restaurantPicked", params: { restaurantId: 4 } }).catch(() => {});
  await device.machine.advance(16);
  session.step("dishPicked", { dishId: 3 }).catch(() => {});
  assert.equal(session.stack.length, 3);
  await device.disk.until(() => device.stored(session.id).replica.log.length === 1 && device.stored(session.id).pending.length === 2);
  device.isOnline = false;
  page.kill();
  const next = await device.page().connect({ id: session.id, secret: session.secret });
  await until(next, ({ predicts }) => predicts);
  assert.deepEqual(next.stack.map(({ screen }) => screen), ["restaurantList", "restaurant", "dish"]);
  device.fetch = fetch;
  await device.goOnline();
  await until(next, ({ waiting }) => waiting === 0);
  assert.deepEqual([next.stack.length, next.revision], [3, 3]);
  next.close();
});

test("an action is rejected if its number was already used for another one, and the actions after it are performed", async () => {
  const { device, session } = await begun();
  const rejected = [];
  session.onRejected(({ code }) => rejected.push(code));
  device.isOnline = false;
  const open = { from: null };
  const promises = [session.select(2, open), session.select(0, open)];
  for (const promise of promises) promise.catch(() => {});
  await device.disk.until(() => device.stored(session.id).pending.length === 2);
  promises.push(session.select(2, open));
  const { client } = device.stored(session.id);
  await fetch(`${service.url}/v1/sessions/${session.id}/actions`, {
    method: "POST", headers: { Authorization: `Bearer ${session.secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({ client, first: 1, actions: [{ type: "select", tab: 1 }] }),
  });
  await device.goOnline();
  await until(session, ({ waiting }) => waiting === 0);
  // A post ends only after its response has been applied, which may need another request.
  const ends = await Promise.allSettled(promises);
  assert.deepEqual(ends.map(({ status, reason }) => reason?.code ?? status), ["idempotency-key-reused", "fulfilled", "fulfilled"]);
  assert.deepEqual(await history(session), [["select", 1, 1], ["select", 0, 2], ["select", 2, 3]]);
  assert.deepEqual([session.visible.screen, rejected, device.notices], ["profileHome", ["idempotency-key-reused"], []]);
  session.close();
});

test("an action is sent only after it is stored under its number", async () => {
  const { device, session } = await begun();
  const held = [];
  let posts = 0;
  device.fetch = (url, init) => {
    if (init.method === "POST") posts += 1;
    return fetch(url, init);
  };
  device.disk.hold = (run) => held.push(run);
  const tap = session.select(1);
  await settled();
  assert.deepEqual([posts, held.length > 0, pendingOf(device, session.id)], [0, true, []]);
  device.disk.hold = undefined;
  for (const run of held) run();
  await tap;
  assert.equal(posts, 1);
  session.close();
});

test("the secret is stored only with `remember: true`; a later page can then resume the session without being given its secret", async () => {
  const { device, page, session } = await begun();
  assert.equal(storedText(device).includes(session.secret), false);
  assert.equal(await device.page().resume(), undefined);
  session.close();
  const other = await begun({ remember: true });
  assert.equal(storedText(other.device).includes(other.session.secret), true);
  other.device.isOnline = false;
  other.page.kill();
  const next = await other.device.page().resume();
  assert.deepEqual([next.id, next.secret, next.visible.screen], [other.session.id, other.session.secret, "restaurantList"]);
  next.close();
  page.kill();
});

test("actions with a token or a code, and links with a code, are not stored", async () => {
  const { device, session } = await begun();
  device.isOnline = false;
  const posts = [session.token("token-1", { queue: true }), session.login("code-1", undefined, { queue: true }), session.open("delivery://x?code=code-2", { queue: true })].map(watched);
  session.select(1).catch(() => {});
  await device.disk.until(() => device.stored(session.id).pending.length > 0);
  assert.equal(/token-1|code-1|code-2/.test(storedText(device)), false);
  assert.deepEqual(posts.slice(0, 2).map(({ reason }) => reason?.code), ["offline", "offline"]);
  session.close();
});

test("after a logout the stored record has no entries or results from before, and no secret", async () => {
  const { device, session } = await begun({ remember: true });
  await session.token("token-1");
  await session.select(1);
  await session.logout();
  await device.disk.until(() => {
    const { replica, settled: ended, secret } = device.stored(session.id) ?? {};
    return replica?.revision === session.revision && replica.log.length === 0 && ended.length === 0 && secret === undefined;
  });
  session.close();
});

/** Returns a function that returns the records of a session that were stored since this call. */
function recorded(device, id) {
  const key = `session ${device.baseURL} ${id}`;
  const before = device.disk.valuesOf(key).length;
  return () => device.disk.valuesOf(key).slice(before);
}

/** Returns a function that returns whether a record has no secret, and no content from before a revision. */
const isSince = (revision) => ({ whole, replica, settled: ended, secret }) => whole.body.revision >= revision && (replica === undefined || replica.revision >= revision)
  && ended.every((one) => one.answer.revision >= revision) && secret === undefined;

test("a logout deletes the stored record at once, and later records have no content from before the logout", async () => {
  const { device, session } = await begun({ remember: true });
  await session.token("token-1");
  await session.select(1);
  const records = recorded(device, session.id);
  await session.logout();
  const { revision } = session;
  await device.disk.until(() => device.stored(session.id)?.replica?.revision === revision);
  await session.select(2);
  session.close();
  await settled();
  const place = records().indexOf(undefined);
  assert.deepEqual(records().slice(0, place).map(({ whole }) => whole.body.revision), records().slice(0, place).map(() => revision - 1));
  assert.ok(records().length > place + 1);
  assert.deepEqual(records().slice(place + 1).filter((record) => !isSince(revision)(record)), []);
});

for (const [what, isLate] of [["", false], [", even before its engine is loaded", true]]) {
  test(`a page that opens after a logout by another client deletes the earlier page's record${what}`, async () => {
    const { device, page, session } = await begun();
    await session.token("token-1");
    await session.select(1);
    await device.disk.until(() => device.stored(session.id)?.replica.log.length === 2);
    page.kill();
    const other = await connect({ baseURL: service.url, id: session.id, secret: session.secret, predict: false });
    const { revision } = await other.logout();
    const { instantiate } = WebAssembly;
    let release;
    const isReleased = new Promise((resolve) => { release = resolve; });
    if (isLate) WebAssembly.instantiate = async (...given) => { await isReleased; return instantiate(...given); };
    const records = recorded(device, session.id);
    const next = await device.page().connect({ id: session.id, secret: session.secret });
    await device.disk.until(() => records().includes(undefined));
    const place = records().indexOf(undefined);
    [WebAssembly.instantiate] = [instantiate];
    release();
    await device.disk.until(() => device.stored(session.id)?.replica?.revision === revision);
    next.close();
    await settled();
    assert.deepEqual(records().slice(place + 1).filter((record) => !isSince(revision)(record)), []);
  });
}

for (const [what, isLoggedIn, isFrozen] of [
  ["the user was logged in", true, false], ["the user had never logged in", false, false], ["the page was frozen during the logout", true, true],
]) {
  test(`a page that leads after a logout does not store the secret again (${what})`, async () => {
    const { device, page, session } = await begun({ remember: true });
    const next = device.page({ remember: true });
    const other = await next.connect({ id: session.id, secret: session.secret });
    if (isLoggedIn) await session.token("token-1");
    await settled();
    if (isFrozen) next.freeze();
    await session.logout();
    await device.disk.until(() => device.stored(session.id) !== undefined && !device.disk.keys().some((key) => key.startsWith("remembered")));
    page.kill();
    if (isFrozen) next.wake();
    await settled();
    await other.select(2);
    const late = await device.page().connect({ id: session.id, secret: session.secret, remember: true });
    other.close();
    await settled();
    await late.select(1);
    late.close();
    await settled();
    assert.equal(device.stored(session.id).whole.body.tree.selected, 1);
    assert.equal(storedText(device).includes(session.secret), false);
    assert.deepEqual(device.disk.keys().filter((key) => key.startsWith("remembered")), []);
  });
}

test("after the service has refused a secret, another page that leads later does not store the secret again", async () => {
  const { device, page, session } = await begun({ remember: true });
  const other = await device.page({ remember: true }).connect({ id: session.id, secret: session.secret });
  await settled();
  device.fetch = async (url, init) => (init.method === "POST" ? problem(401, "unauthorized") : new Promise(() => {}));
  await assert.rejects(session.select(1), { status: 401 });
  await settled();
  const writes = device.disk.writes.length;
  page.kill();
  await settled();
  await settled();
  assert.equal(JSON.stringify(device.disk.writes.slice(writes).map((changes) => [...changes])).includes(session.secret), false);
  other.close();
});

test("after the service has refused the secret of a post, neither the session nor the secret is stored", async () => {
  const { device, session } = await begun({ remember: true });
  device.fetch = (url, init) => fetch(url, init.method === "POST" ? { ...init, headers: { ...init.headers, Authorization: "Bearer wrong" } } : init);
  await assert.rejects(session.select(1), { status: 401 });
  session.close();
  await settled();
  assert.deepEqual([device.stored(session.id), device.disk.keys().filter((key) => key.startsWith("remembered"))], [undefined, []]);
});

test("if the service has another engine than the stored one, the page loads that engine and predicts with it", async () => {
  const { device, page, session } = await begun();
  page.kill();
  const stored = device.stored(session.id);
  const { engine } = stored.whole;
  Object.assign(stored.whole, { engine: "/engine/0000000000000000.wasm" });
  const next = await device.page().connect({ id: session.id, secret: session.secret });
  await device.disk.until(() => device.stored(session.id).whole.engine === engine);
  await until(next, ({ predicts }) => predicts);
  next.close();
});

for (const [what, end] of [
  ["the end of a session", (session) => session.end()],
  ["the deletion of a session by another client", async (session) => {
    session.subscribe(() => {});
    await until(session, ({ connection }) => connection === "live");
    await fetch(`${service.url}/v1/sessions/${session.id}`, { method: "DELETE", headers: { Authorization: `Bearer ${operatorKey}` } });
    await until(session, ({ over }) => over === "deleted");
  }],
  ["a logout", async (session) => {
    await session.token("token-1");
    await session.logout();
    session.close();
  }],
]) {
  test(`${what} deletes the stored secret and pending actions`, async () => {
    const { device, session } = await begun({ remember: true });
    await end(session);
    await device.disk.until(() => !device.disk.keys().some((key) => key.startsWith("remembered")));
    await settled();
    assert.equal(storedText(device).includes(session.secret), false);
    assert.deepEqual(what === "a logout" ? device.stored(session.id)?.pending ?? [] : device.stored(session.id), what === "a logout" ? [] : undefined);
  });
}

test("when the snapshot shows the end of the session, nothing of it is stored, and further actions are rejected", async () => {
  const { device, session } = await begun({ remember: true });
  let atEnd;
  session.subscribe(() => {
    if (session.getSnapshot().over !== undefined) atEnd ??= { stored: device.stored(session.id), keys: device.disk.keys().filter((key) => key.startsWith("remembered")) };
  });
  await until(session, ({ connection }) => connection === "live");
  // This action has not been stored yet when the session ends.
  const tap = watched(session.select(1));
  await fetch(`${service.url}/v1/sessions/${session.id}`, { method: "DELETE", headers: { Authorization: `Bearer ${operatorKey}` } });
  await until(session, ({ over }) => over === "deleted");
  assert.deepEqual(atEnd, { stored: undefined, keys: [] });
  await assert.rejects(session.select(2), { code: "over" });
  await settled();
  assert.notEqual(tap.state, "waiting");
});

test("if the service refuses the leading page's credential, the session also ends in the other page", async () => {
  const { device, page, session } = await begun();
  device.isOnline = false;
  page.kill();
  const one = await device.page().connect({ id: session.id, secret: "wrong" });
  const other = await device.page().connect({ id: session.id, secret: session.secret });
  await device.goOnline();
  await Promise.all([one, other].map((next) => until(next, ({ over }) => over === "credential")));
  assert.equal(device.stored(session.id), undefined);
});

test("if the service refuses the credential, the page deletes the stored session", async () => {
  const { device, page, session } = await begun();
  page.kill();
  const next = await device.page().connect({ id: session.id, secret: "wrong" });
  await until(next, ({ over }) => over === "credential");
  await device.disk.until(() => device.stored(session.id) === undefined);
});

test("incomplete stored content is reported once, and the session is read from the service", async () => {
  const { device, page, session } = await begun();
  page.kill();
  device.disk.databases.get("cairn").get("values").set(`session ${service.url} ${session.id}`, { format: 1, id: session.id });
  const next = await device.page().connect({ id: session.id, secret: session.secret });
  assert.deepEqual([next.revision, device.notices.length, device.notices[0][0]], [1, 1, "stored content is discarded: it belongs to another session or service"]);
  next.close();
});

test("a stored state of another engine version is replaced by a state from the service", async () => {
  const { device, page, session } = await begun();
  page.kill();
  const stored = device.stored(session.id);
  stored.replica.engine += 1;
  const next = await device.page().connect({ id: session.id, secret: session.secret });
  await device.disk.until(() => device.stored(session.id).replica?.engine === stored.replica.engine - 1);
  assert.deepEqual(device.notices, []);
  next.close();
});

test("if the storage is full, the session continues in memory, which is reported once", async () => {
  const { device, session } = await begun();
  device.disk.failure.write = new DOMException("no space", "QuotaExceededError");
  await session.select(1);
  await session.select(2);
  assert.equal(session.visible.screen, "profileHome");
  assert.deepEqual(device.notices, [["the browser's storage is full: a reload of this page loses the actions that are not sent yet", "no space"]]);
  session.close();
});

for (const missing of ["locks", "channels"]) {
  test(`without ${missing} each page is a separate client in memory, reports that once, and performs all its actions`, async () => {
    const device = new Device(service.url);
    const pages = [device.page({ [missing]: null, remember: true }), device.page({ [missing]: null, remember: true })];
    const one = await pages[0].start({ app: "delivery" });
    await one.select(1);
    const other = await pages[1].connect({ id: one.id, secret: one.secret });
    await other.select(2);
    await one.select(0, { from: null });
    const senders = (await other.history({ after: 1 })).entries.map(({ sender }) => sender.client);
    assert.deepEqual((await history(one)).map(([, tab]) => tab), [1, 2, 0]);
    assert.deepEqual([new Set(senders).size, senders[0] === senders[2], device.disk.keys()], [2, true, []]);
    const cause = "the browser has no Web Locks or no BroadcastChannel, so pages cannot share it";
    assert.deepEqual(device.notices, [1, 2].map(() => ["the browser's storage cannot be opened: a reload of this page loses the actions that are not sent yet", cause]));
    assert.equal(await device.page({ [missing]: null }).resume(), undefined);
    for (const page of [one, other]) page.close();
  });
}

test("a further action is rejected if 2,000 actions wait, or if the first one has waited for more than 14 days", async () => {
  const { device, session } = await begun();
  device.isOnline = false;
  const posts = Array.from({ length: 2_001 }, (_, place) => watched(session.select((place + 1) % 3)));
  await settled();
  assert.deepEqual([posts[1_999].state, posts[2_000].reason?.code, session.getSnapshot().waiting], ["waiting", "outbox-full", 2_000]);
  session.close();
  const other = await begun();
  other.device.isOnline = false;
  other.session.select(1).catch(() => {});
  await other.device.machine.advance(14 * 86_400_000);
  other.session.select(2).catch(() => {});
  await other.device.machine.advance(1);
  await assert.rejects(other.session.select(0), { code: "outbox-full" });
  other.session.close();
});
