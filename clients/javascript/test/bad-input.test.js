import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { start } from "../src/node.js";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { Browser } from "../testing/pages.js";
import { operatorKey, predictable, root, startService, until } from "../testing/service.js";
import { put, screens, trip } from "../testing/trip.js";

// The rows of the table "Wrong input" of docs/offline.md, in its order.
const [client, otherClient] = ["a-client-of-22-letters", "another-client-of-22-x"];
const year = 365 * 86_400_000;

let service;
before(async () => {
  service = await startService({ ...predictable, TRIP_PLAN: "gold" });
  await put(service, "late-work", readFileSync(join(root, "Tests/Acceptance/late-work.yaml"), "utf8"));
  await put(service, "trip", trip);
});
after(() => service.stop());

async function call({ id, secret }, method, path, body) {
  const response = await fetch(`${service.url}/v1/sessions/${id}${path}`, {
    method, headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" }, body: body && JSON.stringify(body),
  });
  return JSON.parse(await response.text() || "{}");
}

/** Posts an action of an operator. */
function act(session, action) {
  return call({ id: session.id, secret: operatorKey }, "POST", "/actions", action);
}

/** Posts numbered actions. Returns the outcome or code of each, or the code and the pointers of a request that is refused as a whole. */
async function numbered(session, first, actions, sender = client) {
  const { answers, code, errors } = await call(session, "POST", "/actions", { client: sender, first, actions });
  return answers?.map(({ outcome, error }) => outcome ?? error.code) ?? [code, ...errors.map(({ pointer }) => pointer)];
}

/** Returns the names of the visible screens of a session in the service, from the back to the front. */
async function stackOf(session) {
  return (await call(session, "GET", "")).stack.map(({ screen }) => screen).join(" ");
}

async function covered(step) {
  const session = await start({ baseURL: service.url, app: "late-work", predict: false });
  const from = session.visible.id;
  await act(session, { step });
  return { session, jobPicked: { step: "jobPicked", params: { id: 1 }, from } };
}

test("with `seen` above the newest revision, such as that of another session, an action is judged by the present session", async () => {
  const { session, jobPicked } = await covered("called");
  for (const [place, seen] of [2, 3, 40, 2 ** 53 - 1].entries()) {
    assert.deepEqual(await numbered(session, place + 1, [{ ...jobPicked, seen }]), ["hidden"], `${seen}`);
  }
  assert.equal(await stackOf(session), "jobs call");
});

test("with `seen` below that of the client's last action, only what others have put on top is lifted, and nothing sealed", async () => {
  const { session, jobPicked } = await covered("called");
  assert.deepEqual(await numbered(session, 1, [{ ...jobPicked, seen: 1 }]), ["performed"]);
  assert.deepEqual(await numbered(session, 2, [{ step: "callTaken", seen: 3 }]), ["performed"]);
  // Although `seen` is the revision before the client's own job page, its actions neither act below this page nor remove it.
  assert.deepEqual(await numbered(session, 3, [{ ...jobPicked, seen: 1 }, { step: "formOpened", from: { action: 1, node: 0 }, seen: 1 }]), ["hidden", "performed"]);
  await act(session, { step: "locked" });
  assert.deepEqual(await numbered(session, 5, [{ step: "formSent", from: { action: 4, node: 0 }, seen: 1 }]), ["hidden"]);
  assert.equal(await stackOf(session), "jobs job form lock");
});

test("with `seen` that is no revision, no action of the request runs", async () => {
  const { session, jobPicked } = await covered("called");
  for (const seen of [0, -1, 1.5, "1", null, 2 ** 53]) {
    assert.deepEqual(await numbered(session, 1, [{ ...jobPicked, seen: 1 }, { ...jobPicked, seen }]), ["invalid", "#/actions/1/seen"], `${seen}`);
  }
  assert.equal(await stackOf(session), "jobs call");
});

test("each client has its own numbers; a number that was skipped or used runs nothing", async () => {
  const { session, jobPicked } = await covered("called");
  const opened = { step: "formOpened" };
  assert.deepEqual(await numbered(session, 1, [{ ...jobPicked, seen: 1 }]), ["performed"]);
  assert.deepEqual(await numbered(session, 1, [{ ...jobPicked, seen: 1 }], otherClient), ["performed"]);
  // For the other client, the first node of action 1 is the page of its own action.
  assert.deepEqual(await numbered(session, 2, [{ ...opened, from: { action: 9, node: 0 } }, { ...opened, from: { action: 1, node: 1 } }]), ["invalid", "#/actions/0"]);
  assert.deepEqual(await numbered(session, 2 ** 40, [{ step: "callTaken" }]), ["performed"]);
  assert.deepEqual(await numbered(session, 2, [{ ...opened, from: { action: 1, node: 0 }, seen: 2 }]), ["known"]);
  assert.deepEqual(await numbered(session, 1, [{ ...jobPicked, seen: 1 }]), ["performed"], "a repeat gets the response to the first one");
  assert.deepEqual(await numbered(session, 1, [{ type: "back" }]), ["idempotency-key-reused"]);
  assert.equal((await call(session, "GET", "")).revision, 5);
});

/** Returns a device whose page has stored three waiting actions of the app trip: `{ device, page, session, id, secret }`. */
async function waiting(more = (/** @type {Device} */ _) => ({})) {
  const device = new Device(service.url);
  const page = device.page(more(device));
  const session = await page.start({ app: "trip" });
  const { id, secret } = session;
  await device.ready(id);
  await until(session, ({ predicts }) => predicts);
  device.isOnline = false;
  for (const n of [1, 2, 3]) session.step("show", { n }).catch(() => {});
  await device.disk.until(() => device.stored(id).pending.length === 3);
  return { device, page, session, id, secret };
}

const values = ({ disk }) => disk.databases.get("cairn").get("values");

/** Returns the service's history of a session, in order: the page number of each action, or else its step or type. */
async function performed({ id, secret }) {
  const { entries } = await call({ id, secret }, "GET", "/history?after=1");
  return entries.map(({ action }) => action.params?.n ?? action.step ?? action.type);
}

for (const [what, tamper, notices, ran] of [
  ["that is cut off in the second action", (kept) => { kept.pending = [kept.pending[0], { number: 2 }]; },
    ["stored content is discarded in part: the pending actions from the second on cannot be read"], [1]],
  ["whose numbers do not increase", (kept) => { kept.pending[1].number = 1; },
    ["stored content is discarded in part: the pending actions from the second on cannot be read"], [1]],
  ["without its content", (kept) => { for (const name of Object.keys(kept)) delete kept[name]; },
    ["stored content is discarded: it has the format undefined, not 1"], []],
  ["in the format of another build", (kept) => { kept.format = 2; }, ["stored content is discarded: it has the format 2, not 1"], []],
  ["with the state of another build's engine", (kept) => { kept.replica.engine += 1; }, [], [1, 2, 3]],
  ["of another session", (kept) => { kept.id = "s1"; }, ["stored content is discarded: it belongs to another session or service"], []],
  ["of another service", (kept) => { kept.service = "https://other.example"; }, ["stored content is discarded: it belongs to another session or service"], []],
]) {
  test(`from an outbox ${what}, a page sends what can be read`, async () => {
    const { device, page, id, secret } = await waiting();
    page.kill();
    await settled();
    tamper(values(device).get(`session ${service.url} ${id}`));
    const connected = device.page().connect({ id, secret });
    await device.goOnline();
    device.isOnline = true;
    const next = await connected.catch(() => device.page().connect({ id, secret }));
    await until(next, (snapshot) => snapshot.waiting === 0 && snapshot.revision === ran.length + 1);
    assert.deepEqual([...new Set(device.notices.map(([message]) => message))], notices);
    assert.deepEqual(await performed({ id, secret }), ran);
    assert.deepEqual(next.groups(), []);
    next.close();
  });
}

test("if the clock jumps by a year, back and forth, while actions wait, they run in their order", async () => {
  let offset = 2 * year;
  const { device, session, id, secret } = await waiting(({ machine }) => ({ now: () => machine.now() + offset }));
  offset += year;
  await assert.rejects(session.step("show", { n: 4 }), { code: "outbox-full" });
  offset -= 2 * year;
  const late = session.step("show", { n: 5 });
  offset += year;
  await device.goOnline();
  assert.equal((await late).outcome, "performed");
  assert.deepEqual(await performed({ id, secret }), [1, 2, 3, 5]);
  assert.deepEqual(session.groups(), []);
  session.close();
});

test("a sealed value for a key that is gone is refused as a group, and the other actions run", async () => {
  const { device, page, session, id, secret } = await waiting();
  session.step("enter", { pin: "4711" }).catch(() => {});
  await device.disk.until(() => device.stored(id).pending.length === 4);
  session.step("show", { n: 4 }).catch(() => {});
  await device.disk.until(() => device.stored(id).pending.length === 5);
  page.kill();
  await settled();
  values(device).get(`session ${service.url} ${id}`).pending[3].body.params.pin.key = "BAAAAAAAAAAAAAAA";
  const rejected = [];
  const next = await device.page({ onRejected: ({ code, group }) => rejected.push([code, group]) }).connect({ id, secret });
  await device.goOnline();
  await until(next, (snapshot) => snapshot.waiting === 0);
  const [group] = next.groups();
  assert.deepEqual([group.code, group.actions[0].action.step, rejected[0]], ["sealed-key-gone", "enter", ["sealed-key-gone", group.id]]);
  assert.deepEqual((await performed({ id, secret })).slice(0, 3), [1, 2, 3]);
  // A retry is refused for the same reason, and the action stays in a group.
  await assert.rejects(next.retry(group.id), { code: "sealed-key-gone" });
  assert.equal(next.groups().some(({ code }) => code === "sealed-key-gone"), true);
  next.close();
});

test("a group of a deleted session that is retried twice stays until it is discarded", async () => {
  const { device, session, id } = await waiting();
  await call({ id, secret: operatorKey }, "DELETE", "");
  // The reads and the stream wait for the response to the posts. If one of them received 401 first, the group would have the code `over`.
  let answer;
  const isAnswered = new Promise((resolve) => { answer = resolve; });
  device.fetch = async (url, init) => {
    if (init?.method !== "POST") return isAnswered.then(() => fetch(url, init));
    const response = await fetch(url, init);
    const { status, headers } = response;
    const whole = new Response(await response.text(), { status, headers });
    answer();
    return whole;
  };
  await device.goOnline();
  await until(session, ({ over }) => over !== undefined);
  const [group] = session.groups();
  assert.deepEqual([group.code, group.actions.map(({ action }) => action.params.n)], ["unauthorized", [1, 2, 3]]);
  for (let time = 0; time < 2; time += 1) await assert.rejects(session.retry(group.id), { code: "over" });
  assert.deepEqual(session.groups(), [group]);
  await session.discard(group.id);
  assert.deepEqual(session.groups(), []);
});

test("if the quota of IndexedDB is used up while actions wait, they stay in memory and are performed", async () => {
  const { device, session, id, secret } = await waiting();
  device.disk.failure.write = new DOMException("no space", "QuotaExceededError");
  const taps = [4, 5].map((n) => session.step("show", { n }));
  await settled();
  device.disk.failure.write = undefined;
  assert.equal(screens(session), "home page1 page2 page3 page4 page5");
  await device.goOnline();
  for (const tap of taps) assert.equal((await tap).outcome, "performed");
  assert.deepEqual(await performed({ id, secret }), [1, 2, 3, 4, 5]);
  assert.deepEqual(device.notices, [["the browser's storage is full: a reload of this page loses the actions that are not sent yet", "no space"]]);
  assert.equal(device.stored(id), undefined, "outdated numbers are not left on the disk");
  session.close();
});

test("if two pages both lead, no action runs twice, and an action whose number the other page has used is a group that can be retried", async () => {
  const device = new Device(service.url);
  const one = await device.page().start({ app: "trip" });
  await device.ready(one.id);
  await until(one, ({ predicts }) => predicts);
  // This page has locks and channels of its own, as in a browser whose locks fail.
  const { locks, channels } = new Browser().page(device.machine.timers);
  const two = await device.page({ locks, channels }).connect({ id: one.id, secret: one.secret });
  await until(two, ({ predicts }) => predicts);
  device.isOnline = false;
  const taps = Promise.allSettled([one.step("show", { n: 1 }), two.step("show", { n: 2 })]);
  await device.goOnline();
  const ends = (await taps).map(({ status }) => status);
  assert.deepEqual([...ends].sort(), ["fulfilled", "rejected"]);
  const loser = ends[0] === "rejected" ? one : two;
  const [group] = loser.groups();
  assert.equal(group.code, "idempotency-key-reused");
  assert.equal((await performed(one)).length, 1);
  // The page that the other action has opened is now in front of the user.
  await until(loser, ({ visible }) => visible.screen === "page");
  await loser.back();
  await loser.retry(group.id);
  assert.deepEqual((await performed(one)).sort(), [1, 2, "back"]);
  for (const page of [one, two]) page.close();
});
