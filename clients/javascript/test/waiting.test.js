import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { connect, start } from "../src/node.js";
import { settled } from "../testing/manual-machine.js";
import { opened, watched } from "../testing/opened.js";
import { answer, problem, pushed, session, stream, unreachable } from "../testing/scripted-service.js";

for (const baseURL of [undefined, null, "", "nav.example", "ftp://nav.example", "localhost:8080"]) {
  test(`a baseURL ${JSON.stringify(baseURL) ?? "that is missing"} is rejected without a request`, async () => {
    const fetch = () => assert.fail("the client sent a request");
    await assert.rejects(start({ baseURL, app: "shop", fetch }), (error) => error instanceof TypeError && error.message.includes("`baseURL`"));
    await assert.rejects(connect({ baseURL, id: "s1", secret: "cs_1", fetch }), TypeError);
  });
}

test("a baseURL can be a URL object, and can have a path after the host", async () => {
  const { service } = await opened({ baseURL: new URL("https://nav.example/cairn/") });
  assert.equal(service.calls[0].url, "https://nav.example/cairn/v1/sessions/s1");
});

test("a post that waits for its next attempt is sent as soon as the stream is connected again", async () => {
  const [live, again] = [stream(), stream()];
  const failures = Array.from({ length: 4 }, unreachable);
  const { session: one, machine } = await opened({}, live.answer, ...failures, again.answer, answer(pushed()));
  one.subscribe(() => {});
  await settled();
  const post = watched(one.step("detailIsPicked"));
  await machine.advance(3000);
  assert.equal(post.state, "waiting");
  const before = machine.due.filter((due) => due < 30_000);
  assert.ok(before[0] > 500, `the next attempt is in ${before} ms`);
  live.close();
  await settled();
  await machine.advance(500);
  assert.deepEqual([one.getSnapshot().connection, post.state], ["live", "done"]);
});

test("a stream that waits for its next attempt is opened as soon as a post has succeeded", async () => {
  const [live, again] = [stream(), stream()];
  const { session: one, machine } = await opened({}, live.answer, ...Array.from({ length: 4 }, unreachable), answer(pushed()), again.answer);
  one.subscribe(() => {});
  await settled();
  live.close();
  await machine.advance(6000);
  assert.equal(one.getSnapshot().connection, "offline");
  const [next] = machine.due;
  assert.ok(next > 100);
  await one.step("detailIsPicked");
  await settled();
  assert.equal(one.getSnapshot().connection, "live");
});

test("the wait before the next attempt is at most 5 s for a post and at most 10 s for a stream", async () => {
  const { session: one, machine, service } = await opened({}, ...Array.from({ length: 14 }, unreachable));
  machine.random = () => 1;
  const post = watched(one.step("detailIsPicked"));
  const waits = [];
  for (await settled(); post.state === "waiting"; ) {
    const [wait] = machine.due;
    waits.push(wait);
    await machine.advance(wait);
  }
  assert.equal(post.reason.code, "unreachable");
  assert.equal(service.posts.length, 14);
  assert.ok(Math.max(...waits) <= 5000, `${waits}`);
  assert.ok(waits.reduce((sum, wait) => sum + wait) > 35_000, "all waits together exceed 35 s");
  const followed = await opened({}, ...Array.from({ length: 12 }, unreachable));
  followed.session.subscribe(() => {});
  await settled();
  for (let turn = 0; turn < 10; turn += 1) {
    const [wait] = followed.machine.due;
    assert.ok(wait <= 10_000, `${wait}`);
    await followed.machine.advance(wait);
  }
});

test("a post is sent again immediately when the page becomes visible", async () => {
  const listeners = new Set();
  const network = { isOnline: true, whenOnline: () => () => {}, whenVisible: (then) => { listeners.add(then); return () => listeners.delete(then); } };
  const { session: one } = await opened({ network }, unreachable(), answer(pushed()));
  const post = watched(one.step("detailIsPicked"));
  await settled();
  for (const then of [...listeners]) then();
  await settled();
  assert.deepEqual([post.state, listeners.size], ["done", 0]);
});

for (const status of [502, 504]) {
  test(`a gateway's ${status} does not count as a response of the service, and causes no early attempt of a waiting post`, async () => {
    const live = stream();
    const gateway = () => new Response("<html>bad gateway</html>", { status });
    const back = (call) => (call.method === "POST" ? answer(pushed()) : stream().answer(call));
    const { session: one, service, machine } = await opened({}, live.answer, gateway, gateway, gateway, back, back);
    one.subscribe(() => {});
    await settled();
    live.close();
    await settled();
    const post = watched(one.step("detailIsPicked"));
    await settled();
    assert.deepEqual([post.state, service.calls.length, one.getSnapshot().connection], ["waiting", 3, "offline"]);
    await machine.advance(10_000);
    assert.deepEqual([post.state, one.getSnapshot().connection], ["done", "live"]);
  });
}

test("after a 503, a post waits for the time in Retry-After, even if other requests succeed", async () => {
  const { session: one, service, machine } = await opened({}, problem(503, "overloaded", { "Retry-After": "7" }), answer(session(1)), answer(pushed()));
  const post = watched(one.step("detailIsPicked"));
  await settled();
  await one.refresh();
  await machine.goOnline();
  assert.deepEqual([post.state, service.posts.length], ["waiting", 1]);
  await machine.advance(7300);
  assert.equal(post.state, "done");
});

const networks = {
  "that is empty": () => ({}),
  "without whenOnline": () => ({ isOnline: true }),
  "whose whenOnline returns nothing": (listeners) => ({ isOnline: true, whenOnline: (then) => { listeners.push(then); } }),
  "whose whenOnline returns an object with remove": (listeners) => ({ whenOnline: (then) => { listeners.push(then); return { remove: () => listeners.splice(0) }; } }),
  "whose whenOnline calls immediately": (listeners) => ({ whenOnline: (then) => { listeners.push(then); then(); return () => listeners.splice(0); } }),
};

for (const [name, make] of Object.entries(networks)) {
  test(`with a network ${name}, waiting posts and streams are sent again`, async () => {
    const [live, again] = [stream(), stream()];
    const listeners = [];
    const { session: one, machine } = await opened({ network: make(listeners) }, live.answer, unreachable(), unreachable(), answer(pushed()), again.answer);
    const leave = one.subscribe(() => {});
    await settled();
    const post = watched(one.step("detailIsPicked"));
    await machine.advance(5000);
    assert.deepEqual([post.state, one.getSnapshot().connection], ["done", "live"]);
    assert.ok(listeners.length <= 1, "there is at most one listener");
    leave();
  });
}

test("subscribers are called once when a post is made and once when its response has arrived", async () => {
  let answerPost;
  const { session: one } = await opened({}, stream().answer, () => new Promise((resolve) => { answerPost = () => resolve(answer(pushed())); }));
  const seen = [];
  one.subscribe(() => seen.push(one.getSnapshot()));
  await settled();
  seen.length = 0;
  const post = one.step("detailIsPicked");
  await settled();
  assert.deepEqual(seen.map(({ revision, waiting }) => [revision, waiting]), [[1, 1]]);
  answerPost();
  await post;
  assert.deepEqual(seen.map(({ revision, waiting }) => [revision, waiting]), [[1, 1], [2, 0]]);
});

test("a post whose response has facts and accepts calls subscribers twice, and its event does not call them", async () => {
  const live = stream();
  const more = { accepts: { steps: [], primitives: ["back"] }, facts: { at: 2 }, pending: [] };
  const { session: one } = await opened({ details: true }, live.answer, answer({ ...pushed(), ...more }));
  const seen = [];
  one.subscribe(() => seen.push(one.getSnapshot()));
  await settled();
  seen.length = 0;
  await one.step("detailIsPicked");
  live.event("change", pushed(), 2);
  await settled();
  assert.deepEqual(seen.map(({ revision, waiting, facts }) => [revision, waiting, facts.at]), [[1, 1, undefined], [2, 0, 2]]);
});

test("with an older service, which sends no facts and accepts after a post, subscribers are called once more when they are read", async () => {
  const live = stream();
  const accepts = { steps: [], primitives: ["back"] };
  const { session: one } = await opened({ details: true }, live.answer, answer(pushed()), answer({ ...session(2), accepts, facts: { at: 2 } }));
  const seen = [];
  one.subscribe(() => seen.push(one.getSnapshot()));
  await settled();
  seen.length = 0;
  await one.step("detailIsPicked");
  live.event("change", pushed(), 2);
  await settled();
  assert.deepEqual(seen.map(({ revision, waiting, facts }) => [revision, waiting, facts.at]), [[1, 1, undefined], [2, 0, undefined], [2, 0, 2]]);
});

test("end({ ifMatch }) sends the revision in If-Match, and is rejected if it is not the session's", async () => {
  const { session: one, service } = await opened({}, problem(412, "revision-mismatch"), answer(undefined, 204));
  await assert.rejects(one.end({ ifMatch: 9 }), { code: "revision-mismatch" });
  assert.equal(one.getSnapshot().over, undefined);
  await one.end({ ifMatch: true });
  assert.deepEqual(service.calls.slice(1).map((call) => [call.method, call.headers["If-Match"]]), [["DELETE", '"9"'], ["DELETE", '"1"']]);
});

test("the package contains the repository's licence", () => {
  const [own, whole] = ["../LICENSE", "../../../LICENSE"].map((file) => readFileSync(new URL(file, import.meta.url), "utf8"));
  assert.equal(own, whole);
});
