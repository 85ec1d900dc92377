import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { settled } from "../testing/manual-machine.js";
import { opened, watched } from "../testing/opened.js";
import { answer, popped, problem, pushed, session, stream, unreachable } from "../testing/scripted-service.js";
import { startService } from "../testing/service.js";

let service;
before(async () => { service = await startService(); });
after(() => service.stop());

/** Opens a session with a running post, which gets its response when the test calls `give`. Later posts wait until then. */
async function busy(options, ...answers) {
  let give;
  const made = await opened(options, () => new Promise((resolve) => { give = () => resolve(answer(pushed())); }), ...answers);
  const first = watched(made.session.step("one"));
  await settled();
  return { ...made, first, give: async () => { give(); await settled(); } };
}

function numbered(revision, ...answers) {
  return answer({ revision, answers });
}

const ran = (number, body) => ({ number, ...body });
const refused = (number, status, code) => ({ number, error: { status, code, title: code } });

test("actions that wait for a running request are sent together in the next one, and each gets its own response", async () => {
  const answers = [ran(1, popped(3)), refused(2, 409, "not-handled"), ran(3, { ...pushed(4), created: ["n4"] })];
  const { session: one, service: scripted, give } = await busy({}, numbered(4, ...answers));
  const taps = [one.pop(), one.act({ step: "nothing", from: "n2" }), one.act({ step: "two" })].map(watched);
  await give();
  assert.deepEqual(taps.map(({ state }) => state), ["done", "refused", "done"]);
  assert.deepEqual([taps[0].value.outcome, taps[1].reason.code, taps[1].reason.status, taps[2].value.revision], ["performed", "not-handled", 409, 4]);
  const [, [body, key]] = scripted.posts;
  // The first post has no number, so the service cannot know that the user has seen its effect.
  const actions = [{ type: "pop", from: "n2" }, { step: "nothing", from: "n2" }, { step: "two" }].map((action) => ({ ...action, seen: 2, at: 0 }));
  assert.deepEqual(body, { client: body.client, first: 1, now: 0, actions });
  assert.match(body.client, /^[\w-]{22,64}$/);
  assert.equal(key, undefined);
  assert.deepEqual([one.revision, one.getSnapshot().waiting, scripted.calls.length], [4, 0, 3]);
});

test("the response to a request with numbered actions notifies subscribers once", async () => {
  const live = stream();
  let give;
  const first = () => new Promise((resolve) => { give = () => resolve(answer(pushed())); });
  const { session: one } = await opened({}, live.answer, first, numbered(4, ran(1, popped(3)), ran(2, pushed(4))));
  const seen = [];
  one.subscribe(() => seen.push([one.revision, one.getSnapshot().waiting]));
  await settled();
  seen.length = 0;
  const taps = [one.step("one"), one.pop(), one.act({ step: "two" })];
  await settled();
  give();
  await Promise.all(taps);
  assert.deepEqual(seen, [[1, 1], [1, 2], [1, 3], [2, 2], [4, 0]]);
});

test("a request without a response is repeated with the same numbers", async () => {
  const { session: one, service: scripted, machine, give } = await busy({}, unreachable(), numbered(4, ran(1, popped(3)), ran(2, pushed(4))));
  const taps = [one.pop(), one.act({ step: "two" })].map(watched);
  await give();
  await machine.advance(1000);
  assert.deepEqual(taps.map(({ state }) => state), ["done", "done"]);
  const [, [{ now, ...first }], [{ now: later, ...second }]] = scripted.posts;
  assert.deepEqual(first, second);
  assert.ok(later > now, "the actions are older in the second request");
});

test("an action has the time at which it was posted, and its request the time at which it is sent", async () => {
  const { session: one, service: scripted, machine, give } = await busy({}, numbered(4, ran(1, popped(3)), ran(2, pushed(4))));
  await machine.advance(100);
  const taps = [one.pop()];
  await machine.advance(400);
  taps.push(one.act({ step: "two" }));
  await machine.advance(50);
  await give();
  await Promise.all(taps);
  const [, [{ now, actions }]] = scripted.posts;
  assert.deepEqual([now, ...actions.map(({ at }) => at)], [550, 100, 500]);
});

test("numbers increase from one request to the next", async () => {
  let giveSecond;
  const second = () => new Promise((resolve) => { giveSecond = () => resolve(numbered(4, ran(1, popped(3)), ran(2, pushed(4)))); });
  const { session: one, service: scripted, give } = await busy({}, second, numbered(6, ran(3, popped(5)), ran(4, pushed(6))));
  const taps = [one.pop(), one.act({ step: "two" })];
  await give();
  taps.push(one.pop(), one.act({ step: "three" }));
  giveSecond();
  await Promise.all(taps);
  assert.deepEqual(scripted.posts.slice(1).map(([{ first, actions }]) => [first, actions.length]), [[1, 2], [3, 2]]);
  assert.equal(scripted.posts[1][0].client, scripted.posts[2][0].client);
  assert.equal(one.revision, 6);
});

test("an action that did not run because of a 503 is posted again with its number", async () => {
  const answers = [numbered(3, ran(1, popped(3)), refused(2, 503, "overloaded")), numbered(4, ran(2, pushed(4)))];
  const { session: one, service: scripted, give } = await busy({}, ...answers);
  const taps = [one.pop(), one.act({ step: "two" })];
  await give();
  await Promise.all(taps);
  assert.deepEqual(scripted.posts.slice(1).map(([{ first, actions }]) => [first, actions.length]), [[1, 2], [2, 1]]);
});

test("an action that ran but whose response has expired resolves to the outcome known, and the client reads the session", async () => {
  const known = { number: 1, outcome: "known", revision: 7 };
  const { session: one, give } = await busy({}, numbered(7, known, { ...known, number: 2 }), answer(session(7)));
  const taps = [one.pop(), one.act({ step: "two" })].map(watched);
  await give();
  assert.deepEqual(taps.map(({ value }) => value.outcome), ["known", "known"]);
  assert.equal(one.revision, 7);
});

for (const [status, code] of [[422, "invalid"], [413, "payload-too-large"]]) {
  test(`after a ${status} for a whole request, the client sends each of its posts separately, with an idempotency key`, async () => {
    const { session: one, service: scripted, give } = await busy({}, problem(status, code), answer(popped(3)), problem(422, "invalid"));
    const taps = [one.pop(), one.act({ type: "nonsense" })].map(watched);
    await give();
    assert.deepEqual(taps.map(({ state }) => state), ["done", "refused"]);
    assert.deepEqual(scripted.posts.slice(2).map(([body, key]) => [body.type, key]), [["pop", '"key-2"'], ["nonsense", '"key-3"']]);
  });
}

test("a 401 for a whole request rejects all of its posts", async () => {
  const { session: one, give } = await busy({}, problem(401, "unauthorized"));
  const taps = [one.pop(), one.act({ step: "two" })].map(watched);
  await give();
  assert.deepEqual(taps.map(({ reason }) => reason.code), ["unauthorized", "unauthorized"]);
  assert.equal(one.getSnapshot().waiting, 0);
});

test("a post with a key of its own, a post with ifMatch and an array are each sent in a separate request, in order", async () => {
  const answers = [answer(popped(3)), numbered(5, ran(1, pushed(4)), ran(2, popped(5))), answer(pushed(6)), answer(popped(7))];
  const { session: one, service: scripted, give } = await busy({}, ...answers);
  const taps = [
    one.pop(undefined, { key: "own" }), one.act({ step: "two" }), one.pop(), one.act({ step: "three" }, { ifMatch: 5 }), one.act([{ type: "pop" }]),
  ].map(watched);
  await give();
  await settled();
  assert.deepEqual(taps.map(({ state }) => state), Array(5).fill("done"));
  assert.deepEqual(scripted.posts.slice(1).map(([body, key]) => key ?? body.first), ['"own"', 1, '"key-4"', '"key-5"']);
});

test("a post that is aborted during its request is rejected immediately, and the other post of the request gets its response", async () => {
  let giveSecond;
  const second = () => new Promise((resolve) => { giveSecond = () => resolve(numbered(4, ran(1, popped(3)), ran(2, pushed(4)))); });
  const { session: one, give } = await busy({}, second);
  const stop = new AbortController();
  const taps = [one.pop(undefined, { signal: stop.signal }), one.act({ step: "two" })].map(watched);
  await give();
  stop.abort(new Error("no more"));
  await settled();
  assert.deepEqual([taps[0].reason.message, taps[1].state], ["no more", "waiting"]);
  giveSecond();
  await settled();
  assert.deepEqual([taps[1].value.revision, one.revision], [4, 4]);
});

test("a request is aborted when all of its posts are aborted, or when the session is closed", async () => {
  for (const end of [(stop) => stop.abort(new Error("no more")), (_, one) => one.close()]) {
    let call;
    const { session: one, give } = await busy({}, (given) => new Promise((_, reject) => {
      call = given;
      given.signal.addEventListener("abort", () => reject(given.signal.reason));
    }));
    const stop = new AbortController();
    const taps = [one.pop(undefined, { signal: stop.signal }), one.act({ step: "two" }, { signal: stop.signal })].map(watched);
    await give();
    end(stop, one);
    await settled();
    assert.deepEqual([call.signal.aborted, ...taps.map(({ state }) => state)], [true, "refused", "refused"]);
  }
});

test("posts that an earlier page has stored are repeated with their numbers, before the posts of the new page", async () => {
  const kept = new Map();
  const storage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text), removeItem: (name) => kept.delete(name) };
  const first = await busy({ storage }, () => new Promise(() => {}));
  first.session.pop().catch(() => {});
  first.session.act({ step: "two" }).catch(() => {});
  await first.give();
  await settled();
  const left = JSON.parse([...kept.values()][0]);
  assert.deepEqual(left.map(({ number }) => number), [1, 2]);
  const sent = first.service.posts[1][0];
  const second = await opened({ storage, whole: answer(session(2)) }, numbered(4, ran(1, popped(3)), ran(2, pushed(4))), answer(popped(5)));
  assert.equal((await second.session.pop()).revision, 5);
  assert.deepEqual(second.service.posts[0][0], sent);
  assert.equal(kept.size, 0);
});

test("with a running service, five taps take two requests and run in order, and a refusal does not stop the others", async () => {
  const posts = [];
  const counting = (url, init) => {
    if (init?.method === "POST") posts.push(JSON.parse(init.body));
    return fetch(url, init);
  };
  const one = await start({ baseURL: service.url, app: "delivery", fetch: counting });
  posts.length = 0;
  const taps = await Promise.allSettled([
    one.select(1), one.select(0, { from: null }), one.act({ step: "restaurantPicked", params: { restaurantId: 4 } }), one.act({ step: "dishPicked" }), one.back({ from: null }),
  ]);
  assert.deepEqual(taps.map(({ status }) => status), ["fulfilled", "fulfilled", "fulfilled", "rejected", "fulfilled"]);
  assert.deepEqual([posts.length, posts[1].actions.length], [2, 4]);
  const other = await connect({ baseURL: service.url, id: one.id, secret: one.secret });
  assert.deepEqual(one.getSnapshot(), other.getSnapshot());
  const history = (await one.history({ after: 1 })).entries.map(({ action, sender }) => [action.type ?? action.step, sender?.action]);
  assert.deepEqual(history, [["select", undefined], ["select", 1], ["restaurantPicked", 2], ["back", 4]]);
});

test("each tap runs once and in order, even if the service is killed and restarted during requests", async () => {
  const own = await startService();
  const one = await start({ baseURL: own.url, app: "delivery" });
  const taps = [];
  for (let tap = 0; tap < 60; tap += 1) {
    taps.push(one.select(tap % 2 === 0 ? 1 : 0, { from: null }));
    if (tap % 20 === 10) {
      await taps[tap - 5];
      await own.kill();
      await own.restart();
    }
  }
  const answers = await Promise.all(taps);
  assert.ok(answers.every(({ outcome }) => outcome === "performed" || outcome === "known"));
  assert.equal(one.revision, 61);
  const { entries } = await one.history({ after: 1 });
  assert.deepEqual(entries.map(({ action }) => action.tab), Array.from({ length: 60 }, (_, tap) => (tap % 2 === 0 ? 1 : 0)));
  await own.stop();
});
