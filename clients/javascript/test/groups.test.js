import assert from "node:assert/strict";
import test from "node:test";
import { discardGroup, sessions } from "../src/index.js";
import { readGroup } from "../src/storage/kept.js";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { opened, watched } from "../testing/opened.js";
import { answer, problem, session as whole } from "../testing/scripted-service.js";

const day = 86_400_000;
const ofFirst = (number) => ({ action: number, node: 0 });

/** A service that refuses each step with the code that `refusals` has for it, and performs all other actions. `refusal` refuses each request as a whole. */
class Refusing {
  posts = [];
  refusals;
  refusal;
  #revision = 1;

  constructor(refusals = {}) {
    this.refusals = refusals;
  }

  fetch = async (url, { method = "GET", body } = {}) => {
    if (method === "DELETE") return answer(undefined, 204);
    if (this.refusal) return problem(...this.refusal);
    if (method === "GET") return answer(whole(this.#revision, { label: "tablet" }));
    const post = JSON.parse(body);
    this.posts.push(post);
    if (post.actions === undefined) return this.#answerTo(post);
    const answers = post.actions.map((action, index) => ({ number: post.first + index, ...this.#end(action) }));
    return answer({ revision: this.#revision, answers });
  };

  /** Responds to a post in a separate request. */
  #answerTo(post) {
    const { error, ...performed } = this.#end(post);
    return error ? problem(error.status, error.code) : answer(performed);
  }

  #end({ step, type }) {
    const code = this.refusals[step ?? type];
    if (code !== undefined) return { error: { status: code === "invalid" ? 422 : 409, code, detail: `it is ${code}` } };
    this.#revision += 1;
    return { outcome: "performed", revision: this.#revision, events: [], changes: [] };
  }

  /** The numbers and actions of all numbered posts, without the members `seen` and `at`. */
  get sent() {
    return this.posts.flatMap(({ first, actions }) => actions.map(({ seen, at, ...action }, index) => [first + index, action]));
  }
}

/** Opens the session `s1` on a device: `{ device, service, page, session, rejected }`. `rejected` has the name, code and group of each refused action. */
async function begun(refusals, more = {}) {
  const service = new Refusing(refusals);
  const device = new Device("http://cairn.example", service.fetch);
  const page = device.page({ details: false, ...more });
  const session = await page.connect({ id: "s1", secret: "cs_1" });
  const rejected = [];
  session.onRejected(({ action, code, group }) => rejected.push([nameOf(action), code, group]));
  return { device, service, page, session, rejected };
}

const nameOf = ({ step, type }) => step ?? type;

/** Resolves when all ready tasks have run, together with their transactions, messages and requests. */
async function quiet() {
  for (let turn = 0; turn < 4; turn += 1) await settled();
}

/** Makes the network available again. Posts do not reach the service and get no response. */
function hold({ device, service }) {
  device.fetch = (url, init) => (init.method === "POST" ? new Promise(() => {}) : service.fetch(url, init));
  return device.goOnline();
}

/** Posts actions that wait in the queue while there is no network. Returns the watched promises. */
function post(session, ...actions) {
  return actions.map((action) => watched(session.act(action, { queue: true, from: null })));
}

/** Returns the code of each group, with the names of its actions. */
const shown = (groups) => groups.map(({ code, actions }) => [code, ...actions.map(({ action }) => nameOf(action))]);
const groupKeys = ({ disk }) => disk.keys().filter((key) => key.startsWith("group "));

/** Opens a session in which `open` and the two actions on its page were refused as one group. */
async function refusedForm(more) {
  const made = await begun({ open: "not-handled", fill: "dismissed", back: "dismissed" }, more);
  const { device, session } = made;
  device.isOnline = false;
  post(session, { step: "open", from: "n2" }, { step: "fill", from: ofFirst(1) }, { type: "back", from: ofFirst(1) });
  await quiet();
  await device.goOnline();
  await quiet();
  return { ...made, group: session.groups()[0] };
}

// MARK: Membership

test("a refused action and the later waiting actions on its page are one group, and each is reported once with the id of the group", async () => {
  const { device, session, rejected } = await begun({ open: "not-handled", fill: "dismissed", back: "dismissed", other: "invalid" });
  device.isOnline = false;
  const actions = [
    { step: "open", from: "n2" }, { step: "fill", from: ofFirst(1) }, { step: "note", from: "n2" }, { step: "other", from: "n2" }, { type: "back", from: ofFirst(1) },
  ];
  const ends = post(session, ...actions);
  await quiet();
  await device.goOnline();
  await quiet();
  assert.deepEqual(ends.map(({ value, reason }) => value?.outcome ?? reason.code), ["not-handled", "dismissed", "performed", "invalid", "dismissed"]);
  assert.deepEqual(shown(session.groups()), [["not-handled", "open", "fill", "back"], ["invalid", "other"]]);
  const [first, second] = session.groups().map(({ id }) => id);
  assert.deepEqual(rejected, [
    ["open", "not-handled", first], ["fill", "dismissed", first], ["other", "invalid", second], ["back", "dismissed", first],
  ]);
  assert.deepEqual(session.groups()[0], {
    id: first, at: "1970-01-01T00:00:00.000Z", code: "not-handled", detail: "it is not-handled",
    actions: [0, 1, 4].map((place) => ({ action: actions[place], at: "1970-01-01T00:00:00.000Z" })),
  });
  session.close();
});

for (const [code, isJoined] of [
  ["hidden", true], ["dismissed", true], ["flow-gone", true], ["screen-not-found", true], ["no-stack", true], ["no-tabs", true], ["no-switch", true],
  ["already-presenting", true], ["question-gone", true], ["not-in-contract", false], ["not-handled", false], ["invalid", false], ["guarded", false],
]) {
  test(`a waiting action that names no node of a refused one, and is refused with ${code}, is ${isJoined ? "in its group" : "a group of its own"}`, async () => {
    const { device, session } = await begun({ open: "invalid", fill: code });
    device.isOnline = false;
    post(session, { step: "open" }, { step: "fill" });
    await quiet();
    await device.goOnline();
    assert.deepEqual(shown(session.groups()), isJoined ? [["invalid", "open", "fill"]] : [["invalid", "open"], [code, "fill"]]);
    session.close();
  });
}

test("an action that was posted after the refusal, or that waited before the refused action, is not in its group", async () => {
  const { device, session } = await begun({ open: "invalid", fill: "hidden" });
  device.isOnline = false;
  post(session, { step: "fill" }, { step: "open" });
  await quiet();
  await device.goOnline();
  await quiet();
  post(session, { step: "fill" });
  await quiet();
  assert.deepEqual(shown(session.groups()), [["hidden", "fill"], ["invalid", "open"], ["hidden", "fill"]]);
  session.close();
});

test("an action that waits over a reload is still in the group of the action that was refused before it", async () => {
  const { device, service, page, session } = await begun({ open: "invalid", fill: "hidden" });
  device.isOnline = false;
  // The first action is sent in a separate request, and so is the last one, because a request has at most 100 actions.
  post(session, { step: "open" }, ...Array.from({ length: 100 }, () => ({ step: "note" })), { step: "fill" });
  await quiet();
  device.fetch = async (url, init) => (service.posts.length === 2 && init.method === "POST" ? new Promise(() => {}) : service.fetch(url, init));
  await device.goOnline();
  await device.disk.until(() => device.stored("s1").pending.length === 1);
  page.kill();
  device.fetch = service.fetch;
  const next = await device.page({ details: false }).connect({ id: "s1", secret: "cs_1" });
  await quiet();
  assert.deepEqual(shown(next.groups()), [["invalid", "open", "fill"]]);
  next.close();
});

test("an action that resolves to `stale`, is aborted, or cannot wait without a network is in no group", async () => {
  const { service, session } = await opened({}, problem(409, "hidden"), problem(409, "not-handled"));
  assert.equal((await session.step("open")).outcome, "stale");
  const stop = new AbortController();
  const aborted = watched(session.act({ step: "fill" }, { signal: stop.signal }));
  stop.abort(new Error("enough"));
  await quiet();
  assert.deepEqual([aborted.state, service.posts.length, session.groups()], ["refused", 2, []]);
  session.close();
});

test("without `keep`, groups are in memory", async () => {
  const { session } = await opened({}, problem(409, "not-handled"));
  await assert.rejects(session.act({ step: "open", params: { id: 4 } }), { code: "not-handled" });
  const [{ id, actions }] = session.groups();
  assert.deepEqual(actions.map(({ action }) => action), [{ step: "open", params: { id: 4 } }]);
  await session.discard(id);
  assert.deepEqual(session.groups(), []);
});

// MARK: Secrets

test("an action that may have a secret is neither in a group nor stored, and neither is the detail of its refusal", async () => {
  const { device, session, rejected } = await begun({ token: "invalid", login: "dismissed", enter: "dismissed", back: "dismissed" });
  device.isOnline = false;
  post(session, { type: "token", accessToken: "token-1" }, { type: "login", code: "code-1" }, { step: "enter", params: { pin: "pin-1" } }, { type: "back", from: "n2" });
  await quiet();
  await device.goOnline();
  await quiet();
  const [group, ...others] = session.groups();
  assert.deepEqual([shown([group]), group.detail, others], [[["invalid", "back"]], undefined, []]);
  assert.deepEqual(rejected.map(([name, , id]) => [name, id]), [["token", undefined], ["login", undefined], ["enter", undefined], ["back", group.id]]);
  assert.equal(/token-1|code-1|pin-1|it is/.test(JSON.stringify(groupKeys(device).map((key) => device.disk.stored(key)))), false);
  session.close();
});

// MARK: Retry and discard

test("`retry` posts the actions again in order and under new numbers, with the new numbers in the names of their own nodes only", async () => {
  const { device, service, session } = await begun({ open: "not-handled", fill: "dismissed", sign: "dismissed" });
  device.isOnline = false;
  post(session, { step: "note" }, { step: "open", from: ofFirst(1) }, { step: "fill", from: ofFirst(2) }, { step: "sign", from: "n2", node: ofFirst(2) });
  await quiet();
  await device.goOnline();
  await quiet();
  const [{ id }] = session.groups();
  service.refusals = {};
  assert.deepEqual((await session.retry(id)).map(({ outcome }) => outcome), ["performed", "performed", "performed"]);
  assert.deepEqual(service.sent.slice(4), [
    [5, { step: "open", from: ofFirst(1) }], [6, { step: "fill", from: ofFirst(5) }], [7, { step: "sign", from: "n2", node: ofFirst(5) }],
  ]);
  assert.deepEqual([session.groups(), groupKeys(device)], [[], []]);
  session.close();
});

test("actions that are refused again are in a new group, and a second `retry` of the old one is rejected", async () => {
  const { device, service, session, group, rejected } = await refusedForm();
  const results = await Promise.allSettled([session.retry(group.id), session.retry(group.id)]);
  assert.deepEqual(results.map(({ reason }) => reason.code), ["not-handled", "group-gone"]);
  assert.match(results[1].reason.detail, /^no group has the id ".+": it was retried or discarded$/);
  const [next, ...others] = session.groups();
  assert.deepEqual([shown([next]), others, next.id === group.id], [[["not-handled", "open", "fill", "back"]], [], false]);
  assert.deepEqual([rejected.length, rejected.at(-1)[2], groupKeys(device).length, service.sent.length], [6, next.id, 1, 6]);
  session.close();
});

test("one transaction stores the repeated actions and deletes their group, and the next page sends them", async () => {
  const { device, service, page, session, group } = await refusedForm();
  device.isOnline = false;
  const count = device.disk.writes.length;
  session.retry(group.id).catch(() => {});
  await device.disk.until(() => groupKeys(device).length === 0);
  const [key] = device.disk.writes.slice(count).flatMap((changes) => [...changes.keys()]).filter((name) => name.startsWith("group "));
  const change = device.disk.writes.slice(count).find((changes) => changes.has(key));
  assert.deepEqual(change.get(`session ${device.baseURL} s1`).pending.map(({ number, body }) => [number, body]), [
    [4, { step: "open", from: "n2" }], [5, { step: "fill", from: ofFirst(4) }], [6, { type: "back", from: ofFirst(4) }],
  ]);
  page.kill();
  service.refusals = {};
  const next = await device.page({ details: false }).connect({ id: "s1", secret: "cs_1" });
  await device.goOnline();
  await quiet();
  assert.deepEqual([next.groups(), next.getSnapshot().waiting, service.sent.map(([number]) => number)], [[], 0, [1, 2, 3, 4, 5, 6]]);
  next.close();
});

test("`discard` deletes a group, also after a reload, and does nothing for a group that is gone", async () => {
  const { device, session, group, page } = await refusedForm();
  await session.discard(group.id);
  await session.discard(group.id);
  assert.deepEqual([session.groups(), groupKeys(device)], [[], []]);
  page.kill();
  const next = await device.page({ details: false }).connect({ id: "s1", secret: "cs_1" });
  assert.deepEqual(next.groups(), []);
  next.close();
});

test("a group that does not fit into the outbox stays when it is retried", async () => {
  const { device, session, group } = await refusedForm({ outbox: 4 });
  device.isOnline = false;
  post(session, { step: "note" }, { step: "note" });
  await assert.rejects(session.retry(group.id), { code: "outbox-full" });
  assert.deepEqual([session.getSnapshot().waiting, session.groups().map(({ id }) => id)], [2, [group.id]]);
  session.close();
});

test("a group with the number of another client's action stays when it is retried, because the number means another node now", async () => {
  const { device, service, page, session } = await begun({ fill: "dismissed" });
  device.isOnline = false;
  post(session, { step: "open" }, { step: "fill", from: ofFirst(1) });
  await quiet();
  await device.goOnline();
  await quiet();
  const [{ id }] = session.groups();
  page.kill();
  device.disk.databases.get("cairn").get("values").delete(`session ${device.baseURL} s1`);
  const next = await device.page({ details: false }).connect({ id: "s1", secret: "cs_1" });
  await assert.rejects(next.retry(id), { code: "dismissed" });
  assert.deepEqual([shown(next.groups()), service.sent.length], [[["dismissed", "fill"]], 2]);
  next.close();
});

test("if there are more than 200 groups, the oldest are discarded, which is reported once", async () => {
  const { device, session } = await begun({ open: "invalid" });
  device.isOnline = false;
  post(session, ...Array.from({ length: 200 }, () => ({ step: "open" })));
  await quiet();
  await device.goOnline();
  await quiet();
  await device.machine.advance(1000);
  assert.deepEqual([session.groups().length, device.notices], [200, []]);
  post(session, { step: "open" }, { step: "open" });
  await quiet();
  post(session, { step: "open" });
  await quiet();
  assert.deepEqual([session.groups().length, groupKeys(device).length], [200, 200]);
  assert.equal(session.groups().filter(({ at }) => at === "1970-01-01T00:00:01.000Z").length, 3);
  assert.deepEqual(device.notices, [["there are more than 200 groups of refused actions: the oldest are discarded", undefined]]);
  session.close();
});

// MARK: Pages

test("groups are the same in all pages and after a reload, and each page can retry and discard them", async () => {
  const { device, service, page, session, group } = await refusedForm();
  const second = device.page({ details: false });
  const other = await second.connect({ id: "s1", secret: "cs_1" });
  await quiet();
  assert.deepEqual(other.groups(), [group]);
  device.isOnline = false;
  const heard = [];
  other.onRejected(({ action, group: id }) => heard.push([nameOf(action), id]));
  post(session, { step: "open" });
  await quiet();
  await device.goOnline();
  await quiet();
  const [, { id }] = session.groups();
  assert.deepEqual([heard, other.groups().length], [[["open", id]], 2]);
  await other.discard(id);
  assert.deepEqual([session, other].map((one) => one.groups().length), [1, 1]);
  page.kill();
  await quiet();
  assert.deepEqual(other.groups(), [group]);
  service.refusals = {};
  const third = await device.page({ details: false }).connect({ id: "s1", secret: "cs_1" });
  await quiet();
  assert.deepEqual((await third.retry(group.id)).map(({ outcome }) => outcome), ["performed", "performed", "performed"]);
  await assert.rejects(third.retry(group.id), { code: "group-gone" });
  assert.deepEqual([other, third].map((one) => one.groups()), [[], []]);
  for (const one of [other, third]) one.close();
});

// MARK: The end of a session

/** Opens a session, and ends it while one action waits for its response. Returns what `begun` returns. */
async function endedWithOne() {
  const made = await begun();
  made.device.isOnline = false;
  post(made.session, { step: "open" });
  await quiet();
  await hold(made);
  await made.session.end();
  return made;
}

for (const [what, end, code, isSent = false] of [
  ["`end()`", async (made) => { await hold(made); await made.session.end(); }, "over", true],
  ["a 401 at a post", ({ service, device }) => { service.refusal = [401, "unauthorized"]; return device.goOnline(); }, "unauthorized"],
  ["a 404 at a post", ({ service, device }) => { service.refusal = [404, "unknown-session"]; return device.goOnline(); }, "unknown-session"],
  ["a 401 at a read", async (made) => {
    made.service.refusal = [401, "unauthorized"];
    made.session.subscribe(() => {});
    await quiet();
    await hold(made);
    await made.device.machine.advance(10_000);
  }, "over", true],
]) {
  test(`after ${what}, the waiting actions are a group, which outlives the stored session and a new session`, async () => {
    const made = await begun({}, { remember: true });
    const { device, service, page, session, rejected } = made;
    device.isOnline = false;
    const posted = post(session, { step: "open" }, { step: "fill", from: ofFirst(1) }, { type: "token", accessToken: "token-1" });
    await quiet();
    await end(made);
    await quiet();
    assert.deepEqual(posted.map(({ reason }) => reason.code), [code, code, code]);
    assert.deepEqual(device.stored("s1")?.pending ?? [], []);
    if (code !== "unknown-session") assert.deepEqual(device.disk.keys().filter((key) => key.startsWith("session ") || key.startsWith("remembered ")), []);
    const [group] = session.groups();
    assert.deepEqual([shown([group]), rejected], [[[code, "open", "fill"]], [["open", code, group.id], ["fill", code, group.id], ["token", code, undefined]]]);
    // A request that was sent before the end contained only the first action.
    assert.deepEqual(group.actions.map(({ mayHaveRun }) => mayHaveRun === true), [isSent, false]);
    page.kill();
    device.fetch = service.fetch;
    service.refusal = undefined;
    await device.goOnline();
    const next = device.page({ details: false });
    const other = await next.connect({ id: "s1", secret: "cs_1" });
    assert.deepEqual([other.groups(), other.getSnapshot().waiting], [[group], 0]);
    other.close();
    await quiet();
    const [listed] = await sessions(next.options);
    assert.deepEqual([listed.id, listed.isOver, listed.groups], ["s1", false, [group]]);
  });
}

test("`sessions` lists a session of which only groups are left, with its app and label, and `discardGroup` deletes such a group", async () => {
  const { device, page, session } = await endedWithOne();
  const groups = session.groups();
  await assert.rejects(session.retry(groups[0].id), { code: "over" });
  page.kill();
  const { options } = device.page();
  const entry = { id: "s1", app: "shop", waiting: 0, isLocal: false, isRemembered: false, isOver: true, label: "tablet", at: "1970-01-01T00:00:00.000Z", groups };
  assert.deepEqual(await sessions(options), [entry]);
  await discardGroup({ ...options, id: groups[0].id });
  assert.deepEqual([await sessions(options), groupKeys(device)], [[], []]);
});

test("if a page connects with a wrong secret, the waiting actions of an earlier page are a group, which its owner can retry", async () => {
  const { device, service, page, session } = await begun();
  device.isOnline = false;
  post(session, { step: "open", from: "n2" }, { step: "fill", from: ofFirst(1) });
  await device.disk.until(() => device.stored("s1")?.pending.length === 2);
  page.kill();
  service.refusal = [401, "unauthorized"];
  await device.page({ details: false }).connect({ id: "s1", secret: "wrong" });
  await device.goOnline();
  await device.disk.until(() => device.stored("s1") === undefined);
  service.refusal = undefined;
  const next = await device.page({ details: false }).connect({ id: "s1", secret: "cs_1" });
  const [{ id, actions }] = next.groups();
  assert.deepEqual([actions.map(({ action }) => nameOf(action)), service.sent], [["open", "fill"], []]);
  await next.retry(id);
  assert.deepEqual(service.sent, [[1, { step: "open", from: "n2" }], [2, { step: "fill", from: ofFirst(1) }]]);
  assert.deepEqual([next.groups(), await sessions(device.page().options).then(([{ groups }]) => groups)], [[], []]);
  next.close();
});

test("the page in which a session has ended can discard its groups", async () => {
  const { device, session } = await endedWithOne();
  await session.discard(session.groups()[0].id);
  assert.deepEqual([session.groups(), groupKeys(device)], [[], []]);
});

test("one transaction deletes a session that has ended and stores the group of its waiting actions", async () => {
  const { device } = await endedWithOne();
  const change = device.disk.writes.find((changes) => [...changes.keys()].some((key) => key.startsWith("group ")));
  assert.deepEqual([...change].map(([key, value]) => [key.split(" ")[0], value === undefined]).sort(), [["group", false], ["session", true]]);
});

test("a logout replaces the stored session in one transaction if actions wait, so the actions are always stored", async () => {
  const { device, service, session } = await begun({}, { remember: true });
  device.isOnline = false;
  post(session, { type: "logout" }, { step: "open" });
  await device.disk.until(() => device.stored("s1")?.pending.length === 2);
  device.fetch = async (url, init) => (service.posts.length === 1 && init.method === "POST" ? new Promise(() => {}) : service.fetch(url, init));
  await device.goOnline();
  await device.disk.until(() => device.stored("s1").pending.length === 1);
  assert.equal(device.disk.valuesOf(`session ${device.baseURL} s1`).includes(undefined), false);
  assert.deepEqual([device.stored("s1").secret, device.disk.keys().filter((key) => key.startsWith("remembered"))], [undefined, []]);
  session.close();
});

// MARK: Limits

test("2,000 actions wait for at most 14 days, and beyond these limits an action is rejected with `outbox-full`", async () => {
  const { device, session } = await begun({});
  device.isOnline = false;
  const posts = post(session, ...Array.from({ length: 2_001 }, () => ({ step: "note" })));
  await quiet();
  assert.deepEqual([posts[1_999].state, posts[2_000].reason?.code, session.getSnapshot().waiting], ["waiting", "outbox-full", 2_000]);
  session.close();
  const other = await begun({});
  other.device.isOnline = false;
  post(other.session, { step: "note" });
  await other.device.machine.advance(14 * day);
  const [last] = post(other.session, { step: "note" });
  await other.device.machine.advance(1);
  const [late] = post(other.session, { step: "note" });
  await quiet();
  assert.deepEqual([last.state, late.reason?.code, late.reason?.detail], ["waiting", "outbox-full", "a post has waited for the network for 14 days"]);
  other.session.close();
});

// MARK: Bad input

const stored = (more = {}) => ({
  format: 1, session: "s1", app: "shop", id: "g1", at: 7, code: "hidden", client: "client-with-22-letters",
  actions: [{ number: 1, at: 5, action: { step: "open" } }, { number: 2, at: 6, action: { type: "back" } }], ...more,
});
const discarded = "a stored group of refused actions is discarded:";
const cut = "a stored group of refused actions is discarded in part: the actions from the";

for (const [what, content, notice, left] of [
  ["missing content", undefined, undefined, undefined],
  ["content of this client", stored(), undefined, stored()],
  ["content with all parts", stored({ label: "tablet", detail: "why" }), undefined, stored({ label: "tablet", detail: "why" })],
  ["a text", "{", `${discarded} it was not stored by this client`, undefined],
  ["content with a newer format", stored({ format: 2 }), `${discarded} it has the format 2, not 1`, undefined],
  ["another group's content", stored({ id: "g2" }), `${discarded} a part of it is missing`, undefined],
  ["content without a session", stored({ session: undefined }), `${discarded} a part of it is missing`, undefined],
  ["content without a time", stored({ at: "now" }), `${discarded} a part of it is missing`, undefined],
  ["content without actions", stored({ actions: undefined }), `${discarded} a part of it is missing`, undefined],
  ["a label that is a number", stored({ label: 4 }), `${discarded} a part of it is missing`, undefined],
  ["an action that is cut off", stored({ actions: [stored().actions[0], { number: 2 }] }), `${cut} second on cannot be read`, stored({ actions: [stored().actions[0]] })],
  ["an action whose number is a text", stored({ actions: [{ ...stored().actions[0], number: "1" }] }), `${cut} first on cannot be read`, stored({ actions: [] })],
]) {
  test(`the valid part of a stored group is read: ${what}`, () => {
    const read = readGroup(content, { id: "g1" });
    assert.deepEqual([read.group, read.notice], [left, notice]);
  });
}

test("a stored group that cannot be read is reported once, and the other groups and the session are opened", async () => {
  const { device, page, group } = await refusedForm();
  page.kill();
  device.disk.databases.get("cairn").get("values").set(`group ${device.baseURL} g1`, stored({ actions: null }));
  const next = await device.page({ details: false }).connect({ id: "s1", secret: "cs_1" });
  assert.deepEqual([next.groups(), device.notices], [[group], [[`${discarded} a part of it is missing`, undefined]]]);
  next.close();
});
