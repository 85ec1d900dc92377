import assert from "node:assert/strict";
import test from "node:test";
import { connect } from "../src/starting.js";
import { ManualMachine, settled } from "../testing/manual-machine.js";
import { answer, popped, problem, pushed, ScriptedService, session, silence, unreachable } from "../testing/scripted-service.js";

/** Opens a session at revision 1, whose service returns the given responses. */
async function opened(...answers) {
  return openedWith({}, ...answers);
}

async function openedWith(options, ...answers) {
  const service = new ScriptedService(answer(session()), ...answers);
  const machine = new ManualMachine(service.fetch);
  const { fetch, timers, random, newKey, network } = machine;
  const made = await connect({
    baseURL: "http://cairn.example/", id: "s1", secret: "cs_1", details: false, fetch, timers, random, newKey, network, ...options,
  });
  return { service, machine, session: made };
}

/** Returns the state of a promise (`waiting`, `done` or `refused`) with its value or reason. The state is updated when the promise settles. */
function watched(promise) {
  const seen = { state: "waiting" };
  promise.then((value) => Object.assign(seen, { state: "done", value }), (reason) => Object.assign(seen, { state: "refused", reason }));
  return seen;
}

test("a post sends an idempotency key and the session's secret, and requests a response without the tree", async () => {
  const { service, session } = await opened(answer(pushed()));
  await session.step("detailIsPicked", { id: 1 }, { from: "n2" });
  const call = service.calls[1];
  assert.equal(call.url, "http://cairn.example/v1/sessions/s1/actions");
  assert.deepEqual(call.body, { step: "detailIsPicked", params: { id: 1 }, from: "n2" });
  assert.equal(call.headers["Idempotency-Key"], '"key-1"');
  assert.equal(call.headers.Authorization, "Bearer cs_1");
  assert.equal(call.headers.Prefer, "return=minimal");
  assert.equal(session.visible.screen, "detail");
});

test("a post without a response is sent again with the same key", async () => {
  const { service, machine, session } = await opened(unreachable(), answer(pushed()));
  const post = watched(session.step("detailIsPicked"));
  await settled();
  assert.equal(post.state, "waiting");
  await machine.advance(1000);
  assert.equal(post.state, "done");
  const [first, second] = service.posts;
  assert.deepEqual(first, second);
  assert.equal(session.revision, 2);
});

test("after a 503 or a 429, the client sends the post again after the time in Retry-After", async () => {
  const { service, machine, session } = await opened(
    problem(503, "overloaded", { "Retry-After": "7" }), problem(429, "rate-limited", { "Retry-After": "3" }), answer(pushed()));
  const post = watched(session.step("detailIsPicked"));
  await machine.advance(6900);
  assert.equal(service.posts.length, 1);
  await machine.advance(300);
  assert.equal(service.posts.length, 2);
  await machine.advance(3200);
  assert.equal(post.state, "done");
});

for (const [status, code] of [[400, "not-json"], [401, "unauthorized"], [403, "internal-step"], [409, "not-handled"], [412, "revision-mismatch"],
  [413, "payload-too-large"], [422, "invalid"], [500, "internal"]]) {
  test(`a post that is refused with ${status} ${code} is rejected immediately, and not sent again`, async () => {
    const more = { accepts: { steps: [], primitives: ["back"] }, errors: [{ detail: "is unknown", pointer: "#/step" }], index: 1 };
    const { service, session } = await opened(problem(status, code, {}, more));
    await assert.rejects(session.step("nothing"), (error) => {
      assert.equal(error.name, "CairnProblem");
      assert.deepEqual([error.code, error.status, error.detail], [code, status, `it is ${code}`]);
      assert.deepEqual([error.accepts, error.errors, error.index], [more.accepts, more.errors, 1]);
      return true;
    });
    assert.equal(service.posts.length, 1);
    assert.equal(session.revision, 1);
  });
}

test("after the last attempt, a post is rejected with unreachable, and the next post is sent", async () => {
  const { service, machine, session } = await openedWith({ attempts: 3 }, unreachable(), unreachable(), unreachable(), answer(pushed()));
  const first = watched(session.step("one"));
  const second = watched(session.step("two"));
  await machine.advance(60_000);
  assert.equal(first.reason.code, "unreachable");
  assert.equal(first.reason.cause.message, "fetch failed");
  assert.equal(second.state, "done");
  assert.deepEqual(service.posts.map(([body]) => body.step), ["one", "one", "one", "two"]);
});

test("a post without a response is sent again after the timeout", async () => {
  const { machine, session } = await openedWith({ timeout: 5000 }, silence, answer(pushed()));
  const post = watched(session.step("one"));
  await machine.advance(4999);
  assert.equal(post.state, "waiting");
  await machine.advance(1000);
  assert.equal(post.state, "done");
});

test("posts are sent one after the other, in order", async () => {
  let answerFirst;
  const { service, session } = await opened(() => new Promise((resolve) => { answerFirst = resolve; }), answer(popped()));
  const both = Promise.all([session.step("one"), session.pop()]);
  await settled();
  assert.equal(service.posts.length, 1);
  answerFirst(answer(pushed()));
  await both;
  assert.deepEqual(service.posts, [[{ step: "one", from: "n2" }, '"key-1"'], [{ type: "pop", from: "n2" }, '"key-2"']]);
  assert.equal(session.revision, 3);
});

test("without a network, posts wait, and are sent when the network is back", async () => {
  const { service, machine, session } = await opened(answer(pushed()), answer(popped()));
  machine.network.isOnline = false;
  const posts = [watched(session.step("one")), watched(session.pop())];
  await machine.advance(3_600_000);
  assert.equal(service.posts.length, 0);
  assert.equal(session.getSnapshot().waiting, 2);
  await machine.goOnline();
  assert.deepEqual(posts.map((post) => post.state), ["done", "done"]);
  assert.equal(session.getSnapshot().waiting, 0);
});

test("a failed request is sent again as soon as the network is back, before the wait for the next attempt ends", async () => {
  const { machine, session } = await opened(unreachable(), answer(pushed()));
  const post = watched(session.step("one"));
  await settled();
  assert.equal(session.getSnapshot().connection, "offline");
  await machine.goOnline();
  assert.equal(post.state, "done");
  assert.equal(session.getSnapshot().connection, "idle");
});

test("a full outbox rejects further posts, and closing the session rejects the waiting ones", async () => {
  const { machine, session } = await openedWith({ outbox: 2 });
  machine.network.isOnline = false;
  const waiting = [watched(session.step("one")), watched(session.step("two"))];
  await assert.rejects(session.step("three"), { code: "outbox-full" });
  session.close();
  await settled();
  assert.deepEqual(waiting.map((post) => post.reason.code), ["closed", "closed"]);
});

test("an aborted post is removed from the queue, and the next one is sent", async () => {
  const { service, session } = await opened(silence, answer(pushed()));
  const stop = new AbortController();
  const first = watched(session.step("one", {}, { signal: stop.signal }));
  const second = watched(session.step("two"));
  await settled();
  stop.abort(new Error("enough"));
  await settled();
  assert.equal(first.reason.message, "enough");
  assert.equal(second.state, "done");
  assert.ok(service.calls[1].signal.aborted);
  await assert.rejects(session.step("three", {}, { signal: stop.signal }), { message: "enough" });
});

test("a post is sent with the params at the time of the call, even if the app changes the object while the post waits", async () => {
  const { machine, service, session } = await opened(unreachable(), answer(pushed()));
  const params = { id: 4, tags: ["a"] };
  const post = watched(session.step("one", params));
  await settled();
  params.id = 5;
  params.tags.push("b");
  await machine.advance(2000);
  const body = { step: "one", params: { id: 4, tags: ["a"] }, from: "n2" };
  assert.deepEqual([service.posts.map(([sent]) => sent), post.state], [[body, body], "done"]);
});

test("an abort ends the wait between two attempts", async () => {
  const { machine, session } = await opened(unreachable());
  const stop = new AbortController();
  const post = watched(session.step("one", {}, { signal: stop.signal }));
  await settled();
  stop.abort(new Error("enough"));
  await settled();
  assert.equal(post.reason.message, "enough");
  assert.deepEqual(machine.due, []);
});

test("If-Match contains the revision in ifMatch, or the newest known one if ifMatch is true", async () => {
  const { service, session } = await opened(answer(pushed()), answer(popped()), problem(412, "revision-mismatch"));
  await session.step("one", {}, { ifMatch: 1 });
  await session.pop(1, { ifMatch: true });
  await assert.rejects(session.pop(1, { ifMatch: 1 }), { code: "revision-mismatch" });
  assert.deepEqual(service.calls.slice(1).map((call) => call.headers["If-Match"]), ['"1"', '"2"', '"1"']);
});

test("a plan is sent without an idempotency key, and does not change the client's session", async () => {
  const { service, session } = await opened(answer({ plan: true, ...pushed() }), answer({ plan: true, ...pushed() }));
  assert.equal((await session.plan({ step: "one" })).plan, true);
  assert.equal((await session.notify({ aps: {} }, { tap: false, plan: true })).plan, true);
  assert.deepEqual(service.calls.slice(1).map((call) => call.url.slice("http://cairn.example/v1/sessions/s1".length)), [
    "/actions?plan", "/notifications?tap=false&plan",
  ]);
  assert.ok(service.posts.every(([, key]) => key === undefined));
  assert.equal(session.revision, 1);
});

test("after a reload, waiting posts are restored from the storage and sent with their keys, and refusals are passed to onRefused", async () => {
  const kept = new Map();
  const storage = {
    getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => void kept.set(name, value), removeItem: (name) => void kept.delete(name),
  };
  const before = await openedWith({ storage });
  before.machine.network.isOnline = false;
  watched(before.session.step("one"));
  watched(before.session.pop());
  await settled();
  before.session.close();
  await settled();
  const refused = [];
  const after = await openedWith({ storage, onRefused: (error, post) => refused.push([error.code, post.body]) }, problem(409, "hidden"), answer(pushed()));
  await settled();
  assert.deepEqual(after.service.posts, [[{ step: "one", from: "n2" }, '"key-1"'], [{ type: "pop", from: "n2" }, '"key-2"']]);
  assert.deepEqual(refused, [["hidden", { step: "one", from: "n2" }]]);
  assert.equal(kept.size, 0);
});

for (const kept of [null, "", "{", "{}", "null"]) {
  test(`a storage that contains ${JSON.stringify(kept)} counts as empty`, async () => {
    const storage = { getItem: async () => kept, setItem: async () => {}, removeItem: async () => {} };
    const { session, service } = await openedWith({ storage }, answer(pushed()));
    await session.step("one");
    assert.equal(service.posts.length, 1);
  });
}

test("each method of the session posts its body", async () => {
  const bodies = [
    [(one) => one.back(), { type: "back", from: "n2" }], [(one) => one.pop(2), { type: "pop", count: 2, from: "n2" }], [(one) => one.pop("n4"), { type: "pop", node: "n4", from: "n2" }],
    [(one) => one.popTo("home"), { type: "popTo", screen: "home", from: "n2" }], [(one) => one.popToRoot(), { type: "popToRoot", from: "n2" }],
    [(one) => one.dismiss(), { type: "dismiss", from: "n2" }], [(one) => one.dismiss("n4"), { type: "dismiss", node: "n4", from: "n2" }],
    [(one) => one.select(0), { type: "select", tab: 0, from: "n2" }], [(one) => one.select("other"), { type: "select", flow: "other", from: "n0" }],
    [(one) => one.login("c", "s"), { type: "login", code: "c", state: "s" }], [(one) => one.token("t"), { type: "token", accessToken: "t" }],
    [(one) => one.logout(), { type: "logout" }], [(one) => one.appState("background"), { type: "appState", state: "background" }],
    [(one) => one.setFacts({ wide: true }), { type: "facts", set: { wide: true } }], [(one) => one.cancel("l1"), { type: "cancel", link: "l1" }],
    [(one) => one.advance("1s"), { type: "advance", by: "1s" }], [(one) => one.act([{ type: "back" }]), [{ type: "back", from: "n2" }]],
    [(one) => one.back({ from: null }), { type: "back" }], [(one) => one.back({ from: "n4" }), { type: "back", from: "n4" }],
    [(one) => one.open("shop://1"), { type: "open", url: "shop://1" }], [(one) => one.notify({ aps: {} }), { payload: { aps: {} } }],
    [(one) => one.notify({ aps: {} }, { state: "killed", action: "answer", reply: "a\nb" }), { payload: { aps: {} }, action: "answer", reply: "a\nb" }],
  ];
  const { service, session } = await opened(...bodies.map(() => answer({ outcome: "unchanged", revision: 1, changes: [], events: [] })));
  for (const [post] of bodies) await post(session);
  assert.deepEqual(service.posts.map(([body]) => body), bodies.map(([, body]) => body));
  assert.ok(service.calls.at(-1).url.endsWith("/notifications?state=killed"), "the URL does not contain the user's reply");
});
