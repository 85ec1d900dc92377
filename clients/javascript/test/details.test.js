import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { settled } from "../testing/manual-machine.js";
import { opened } from "../testing/opened.js";
import { answer, details, popped, problem, pushed, session, stream } from "../testing/scripted-service.js";
import { startService, until } from "../testing/service.js";

let service;
before(async () => { service = await startService(); });
after(() => service.stop());

/** Returns a session with a subscriber and a scripted service. */
async function followed(...answers) {
  const live = stream();
  const made = await opened({ details: true }, live.answer, ...answers);
  made.session.subscribe(() => {});
  await settled();
  return { ...made, live };
}

/** Returns a scripted response that is pending, and the function that resolves it. */
function held() {
  let give;
  const given = new Promise((resolve) => { give = resolve; });
  return [() => given, give];
}

test("a post requests the details that changes lack, and the session takes them from the response without another read", async () => {
  const { session: one, service: scripted } = await opened({ details: true }, answer({ ...pushed(), ...details(2, { now: "later" }) }));
  await one.step("detailIsPicked");
  assert.equal(scripted.calls.length, 2);
  const asked = 'return=minimal, include="accepts definition expiresAt facts login now pending updatedAt"';
  assert.equal(scripted.calls[1].headers.Prefer, asked);
  const { facts, accepts, login, now, pending, revision } = one.getSnapshot();
  assert.deepEqual([facts, accepts.primitives, login.status, now, pending, revision], [{ at: 2 }, ["back"], "loggedIn", "later", [], 2]);
});

test("with `details: false`, a post does not request details, and the session does not read them", async () => {
  const { session: one, service: scripted } = await opened({}, answer(pushed()));
  await one.step("detailIsPicked");
  assert.deepEqual([scripted.calls.length, scripted.calls[1].headers.Prefer], [2, "return=minimal"]);
});

test("if an older service responds to a post without details, the session is read once", async () => {
  const { session: one, service: scripted } = await opened({ details: true }, answer(pushed()), answer({ ...session(2), facts: { at: 2 } }));
  await one.step("detailIsPicked");
  assert.deepEqual([scripted.calls.length, one.facts], [3, { at: 2 }]);
});

test("the response to an array of actions also contains the details, so nothing is read", async () => {
  const both = { revision: 3, answers: [pushed(2), popped(3)], ...details(3) };
  const { session: one, service: scripted } = await opened({ details: true }, answer(both));
  await one.act([{ step: "detailIsPicked" }, { type: "pop" }]);
  assert.deepEqual([scripted.calls.length, one.revision, one.facts], [2, 3, { at: 3 }]);
});

test("an event that arrives before the response to its post causes no read", async () => {
  const [post, give] = held();
  const { session: one, service: scripted, live } = await followed(post);
  const tap = one.step("detailIsPicked");
  await settled();
  live.event("change", pushed(), 2);
  await settled();
  assert.deepEqual([scripted.calls.length, one.revision, one.facts], [3, 2, {}]);
  give(answer({ ...pushed(), ...details(2) }));
  await tap;
  assert.deepEqual([scripted.calls.length, one.revision, one.facts], [3, 2, { at: 2 }]);
});

test("after a change by another client during a post, the details are read once the post's response has arrived", async () => {
  const [post, give] = held();
  const { session: one, service: scripted, live } = await followed(post, answer({ ...session(3), facts: { at: 3 } }));
  const tap = one.step("detailIsPicked");
  await settled();
  live.event("change", pushed(), 2);
  live.event("change", popped(), 3);
  await settled();
  assert.equal(scripted.calls.length, 3);
  give(answer({ ...pushed(), ...details(2) }));
  await tap;
  assert.deepEqual([scripted.calls.length, one.revision, one.facts], [4, 3, { at: 3 }]);
});

test("after a change by another client during a post, the details are read if the post is refused", async () => {
  const [post, give] = held();
  const { session: one, service: scripted, live } = await followed(post, answer({ ...session(2), facts: { at: 2 } }));
  const tap = one.act({ type: "select", tab: 9 });
  await settled();
  live.event("change", pushed(), 2);
  await settled();
  give(problem(409, "no-such-tab"));
  await assert.rejects(tap, { code: "no-such-tab" });
  await settled();
  assert.deepEqual([scripted.calls.length, one.facts], [4, { at: 2 }]);
});

test("a repeated response of an earlier revision does not replace newer details", async () => {
  const { session: one } = await opened({ details: true, whole: answer({ ...session(5), facts: { at: 5 } }) }, answer({ ...pushed(2), ...details(2) }));
  await one.step("detailIsPicked", {}, { key: "repeated" });
  assert.deepEqual([one.revision, one.facts], [5, { at: 5 }]);
});

test("if the response to an action without effect has a later revision, the missed change is read", async () => {
  const unchanged = { outcome: "unchanged", reason: "at-root", revision: 2, events: [], changes: [], ...details(2) };
  const { session: one, service: scripted } = await opened({ details: true }, answer(unchanged), answer(session(2, { facts: { read: true } })));
  await one.back();
  assert.deepEqual([scripted.calls.length, one.revision, one.facts], [3, 2, { read: true }]);
});

test("each post to a real service takes one request, and the snapshot then equals a newly read session", async () => {
  let calls = 0;
  const counting = (...given) => {
    calls += 1;
    return fetch(...given);
  };
  const one = await start({ baseURL: service.url, app: "shop", accessToken: "t", fetch: counting });
  const taps = [
    () => one.step("productIsPicked", { productId: 7 }), () => one.back(), () => one.back(),
    () => one.act([{ step: "productIsPicked", params: { productId: 8 } }, { type: "pop" }]), () => one.logout(), () => one.open("shop://products/3"),
  ];
  for (const tap of taps) {
    calls = 0;
    await tap().catch((problem) => assert.equal(problem.status, 409));
    assert.equal(calls, 1);
    const other = await connect({ baseURL: service.url, id: one.id, secret: one.secret });
    assert.deepEqual(one.getSnapshot(), other.getSnapshot());
  }
  assert.ok(one.revision > 4);
});

test("posts of a session with a subscriber cause no other requests to a real service", async () => {
  const calls = [];
  const counting = (url, init) => {
    calls.push(`${init.method} ${new URL(url).pathname.split("/").at(-1)}`);
    return fetch(url, init);
  };
  const one = await start({ baseURL: service.url, app: "shop", accessToken: "t", fetch: counting });
  const leave = one.subscribe(() => {});
  await until(one, ({ connection }) => connection === "live");
  calls.length = 0;
  for (let product = 1; product <= 10; product += 1) {
    await one.step("productIsPicked", { productId: product });
    await one.back();
  }
  leave();
  assert.deepEqual(calls, Array(20).fill("POST actions"));
});
