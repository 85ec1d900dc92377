import assert from "node:assert/strict";
import test from "node:test";
import { connect, start } from "../src/starting.js";
import { ManualMachine, settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { answer, popped, problem, pushed, ScriptedService, session, stream, unreachable } from "../testing/scripted-service.js";

async function opened(options, ...answers) {
  const service = new ScriptedService(answer(session()), ...answers);
  const machine = new ManualMachine(service.fetch);
  const { fetch, timers, random, newKey, network } = machine;
  const given = { baseURL: "http://cairn.example", id: "s1", secret: "cs_1", details: false, fetch, timers, random, newKey, network };
  return { service, machine, session: await connect({ ...given, ...options }) };
}

/** Opens a session and subscribes to it. `seen` has the snapshot at each notification. */
async function followed(options, ...answers) {
  const live = stream();
  const made = await opened(options, live.answer, ...answers);
  const seen = [];
  const leave = made.session.subscribe(() => seen.push(made.session.getSnapshot()));
  await settled();
  seen.length = 0;
  return { ...made, live, seen, leave };
}

test("each event is applied when it arrives, and notifies subscribers once", async () => {
  const { session, live, seen, service } = await followed();
  assert.equal(service.calls[1].headers["Last-Event-ID"], "1");
  assert.equal(service.calls[1].headers.Accept, "text/event-stream");
  live.event("change", pushed(), 2);
  await settled();
  assert.equal(seen.length, 1);
  assert.deepEqual([session.revision, session.visible.screen, session.stack.length], [2, "detail", 2]);
  live.event("change", popped(), 3);
  await settled();
  assert.deepEqual(seen.map((snapshot) => snapshot.revision), [2, 3]);
});

test("an exception of a listener is reported, and stops neither the other listeners nor the client", async (context) => {
  const { session, live, seen } = await followed();
  const reported = [];
  context.mock.method(globalThis, "queueMicrotask", (run) => assert.throws(run, ({ message }) => reported.push(message) > 0));
  const leave = session.subscribe(() => { throw new Error("cannot draw"); });
  const shown = [];
  session.subscribe(() => shown.push(session.revision));
  live.event("change", pushed(), 2);
  await settled();
  leave();
  live.event("change", popped(), 3);
  await settled();
  assert.deepEqual([reported, shown, seen.map(({ revision }) => revision)], [["cannot draw"], [2, 3], [2, 3]]);
});

test("unchanged parts of a snapshot remain the same objects", async () => {
  const { session, live, seen } = await followed();
  const before = session.getSnapshot();
  assert.equal(session.getSnapshot(), before);
  live.event("change", pushed(), 2);
  await settled();
  const after = session.getSnapshot();
  assert.notEqual(after, before);
  assert.equal(after.tree.children[1], before.tree.children[1]);
  assert.equal(after.tree.children[0].children[0], before.tree.children[0].children[0]);
  assert.equal(after.stack[0], before.stack[0]);
  assert.equal(after.facts, before.facts);
  assert.equal(seen.at(-1), after);
  assert.ok(Object.isFrozen(after));
});

for (const order of ["answer first", "event first"]) {
  test(`a post's response and its event change the tree once, ${order}`, async () => {
    let answerPost;
    const { session, live, seen } = await followed({}, () => new Promise((resolve) => { answerPost = () => resolve(answer(pushed())); }));
    const post = session.step("detailIsPicked");
    await settled();
    const parts = [() => answerPost(), () => live.event("change", pushed(), 2)];
    for (const part of order === "answer first" ? parts : parts.reverse()) {
      part();
      await settled();
    }
    await post;
    assert.equal(seen.filter((snapshot, index) => snapshot.tree !== (seen[index - 1] ?? {}).tree && snapshot.revision === 2).length, 1);
    assert.equal(session.tree.children[0].children.length, 2);
  });
}

test("if a revision is missing, the client reads the session again", async () => {
  const later = session(5);
  const { session: one, live, service } = await followed({}, answer(later));
  live.event("change", popped(5), 5);
  await settled();
  assert.equal(service.calls.at(-1).url, "http://cairn.example/v1/sessions/s1");
  assert.equal(one.revision, 5);
});

test("if a change of an event does not fit the tree, none of its changes is applied, and the client reads the session", async () => {
  const odd = { ...pushed(), changes: [...pushed().changes, { op: "pop", in: "n9", to: "n8" }] };
  const { session: one, live } = await followed({}, answer(session(2)));
  live.event("change", odd, 2);
  await settled();
  assert.deepEqual([one.revision, one.tree.children[0].children.length], [2, 1]);
});

test("if revisions before a post's response are missing, the client reads the session before the post resolves", async () => {
  const { session: one } = await opened({}, answer(popped(4)), answer(session(4)));
  await one.pop();
  assert.equal(one.revision, 4);
});

test("a change during a read causes another read", async () => {
  const waiting = [];
  const held = () => new Promise((resolve) => waiting.push(resolve));
  const { session: one, live, service } = await followed({ details: true }, held, held);
  live.event("change", pushed(), 2);
  await settled();
  live.event("change", popped(), 3);
  await settled();
  assert.equal(service.calls.length, 3);
  waiting.shift()(answer({ ...session(2), facts: { at: 2 } }));
  await settled();
  assert.equal(one.revision, 3);
  waiting.shift()(answer({ ...session(3), facts: { at: 3 } }));
  await settled();
  assert.deepEqual([one.facts, service.calls.length], [{ at: 3 }, 4]);
});

test("when the network is back, the client aborts its old stream and opens a new one", async () => {
  const again = stream();
  const { session: one, service, machine } = await followed({}, again.answer);
  await machine.goOnline();
  assert.ok(service.calls[1].signal.aborted);
  await machine.advance(500);
  assert.deepEqual([service.calls.length, one.getSnapshot().connection], [3, "live"]);
});

test("the connection is offline while a post is retried, and live again when the post has succeeded", async () => {
  const { session: one, machine } = await followed({}, unreachable(), answer(pushed()));
  const post = one.step("detailIsPicked");
  await settled();
  assert.deepEqual([one.getSnapshot().connection, one.getSnapshot().waiting], ["offline", 1]);
  await machine.advance(1000);
  await post;
  assert.deepEqual([one.getSnapshot().connection, one.getSnapshot().waiting], ["live", 0]);
});

test("a reset event replaces the whole session", async () => {
  const { session: one, live } = await followed();
  live.event("reset", session(9), 9);
  await settled();
  assert.equal(one.revision, 9);
});

test("two events that arrive together cause one read of facts and accepts", async () => {
  const accepts = { steps: [{ step: "x", params: {} }], primitives: [] };
  const { session: one, live, service } = await followed({ details: true }, answer({ ...session(3), accepts }));
  live.write(["change", "change"].map((type, index) => `event: ${type}\nid: ${index + 2}\ndata: ${JSON.stringify([pushed(), popped()][index])}\n\n`).join(""));
  await settled();
  assert.equal(service.calls.length, 3);
  assert.deepEqual(one.accepts, accepts);
});

test("after a post, accepts belongs to the revision of the post", async () => {
  const accepts = { steps: [], primitives: ["back", "pop"] };
  const { session: one } = await opened({ details: true }, answer(pushed()), answer({ ...session(2), accepts }));
  await one.step("detailIsPicked");
  assert.deepEqual(one.accepts, accepts);
});

test("a broken stream is reopened after the last revision, first after the service's retry time and then after increasing waits", async () => {
  const again = stream();
  const { session: one, live, service, machine } = await followed({}, unreachable(), unreachable(), again.answer);
  live.write("retry: 2000\n\n");
  live.event("change", pushed(), 2);
  await settled();
  live.close();
  await settled();
  assert.equal(one.getSnapshot().connection, "offline");
  assert.deepEqual(machine.due, [2000]);
  await machine.advance(2000);
  assert.deepEqual(machine.due, [750]);
  await machine.advance(750);
  assert.deepEqual(machine.due, [1500]);
  await machine.advance(1500);
  assert.equal(service.calls.at(-1).headers["Last-Event-ID"], "2");
  assert.equal(one.getSnapshot().connection, "live");
});

test("the client opens a stream immediately when the network is back", async () => {
  const again = stream();
  const { session: one, live, machine } = await followed({}, again.answer);
  live.close();
  await settled();
  await machine.goOnline();
  assert.equal(one.getSnapshot().connection, "live");
});

test("a stream that sends nothing for 45 s is opened again", async () => {
  const again = stream();
  const { live, service, machine } = await followed({}, again.answer);
  live.write(": \n\n");
  await machine.advance(44_000);
  live.write(": \n\n");
  await machine.advance(44_000);
  assert.equal(service.calls.length, 2);
  await machine.advance(10_000);
  assert.equal(service.calls.length, 3);
});

for (const reason of ["deleted", "expired", "credential"]) {
  test(`after an end event with the reason ${reason}, the client sends no further requests`, async () => {
    const { session: one, live, service, machine } = await followed();
    live.event("end", { reason });
    await settled();
    await machine.advance(600_000);
    assert.deepEqual([one.getSnapshot().over, service.calls.length, machine.due], [reason, 2, []]);
    await assert.rejects(one.back(), { code: "over" });
  });
}

test("after an end event with the reason stopping, the client opens a stream again", async () => {
  const again = stream();
  const { session: one, live, machine } = await followed({}, again.answer);
  live.event("end", { reason: "stopping" });
  await settled();
  await machine.advance(1000);
  assert.deepEqual([one.getSnapshot().over, one.getSnapshot().connection], [undefined, "live"]);
});

test("a 401 at a reconnect ends the session in the client", async () => {
  const { session: one, live, machine } = await followed({}, problem(401, "unauthorized"));
  live.close();
  await settled();
  await machine.advance(1000);
  assert.equal(one.getSnapshot().over, "credential");
});

test("without listeners, the client closes its stream", async () => {
  const { session: one, leave, service, machine } = await followed();
  leave();
  await settled();
  assert.ok(service.calls[1].signal.aborted);
  assert.deepEqual([one.getSnapshot().connection, machine.due], ["idle", []]);
});

test("the iterator yields each event, and ends with the session", async () => {
  const live = stream();
  const { session: one } = await opened({}, live.answer);
  const events = one.events();
  await settled();
  live.event("change", pushed(), 2);
  live.event("change", popped(), 3);
  live.event("reset", session(8), 8);
  await settled();
  live.event("end", { reason: "deleted" });
  const seen = [];
  for await (const event of events) seen.push([event.type, event.revision]);
  assert.deepEqual(seen, [["change", 2], ["change", 3], ["reset", 8]]);
});

test("the client closes its stream when a loop over the events is left", async () => {
  const live = stream();
  const { session: one, service } = await opened({}, live.answer);
  const loop = (async () => { for await (const event of one.events()) return event; })();
  await settled();
  live.event("change", pushed(), 2);
  assert.equal((await loop).revision, 2);
  await settled();
  assert.ok(service.calls[1].signal.aborted);
});

test("a creation without a response is sent again with the same body and key", async () => {
  const service = new ScriptedService(unreachable(), answer({ ...session(), secret: "cs_9", opened: { outcome: "performed" } }, 201), answer(pushed()));
  const machine = new ManualMachine(service.fetch);
  const { fetch, timers, random, newKey, network } = machine;
  const starting = start({
    baseURL: "http://cairn.example", app: "shop", open: "shop://1", credential: "op", label: "x", details: false, fetch, timers, random, newKey, network,
  });
  await machine.advance(1000);
  const one = await starting;
  assert.deepEqual(service.posts[0], service.posts[1]);
  assert.deepEqual(service.posts[0], [{ app: "shop", open: "shop://1", label: "x" }, '"key-1"']);
  assert.equal(service.calls[0].headers.Authorization, "Bearer op");
  assert.deepEqual([one.secret, one.opened], ["cs_9", { outcome: "performed" }]);
  await one.step("detailIsPicked");
  assert.equal(service.calls.at(-1).headers.Authorization, "Bearer cs_9");
});

test("end() deletes the session, and the snapshot has the reason deleted", async () => {
  const { session: one, service } = await opened({}, answer(undefined, 204));
  await one.end();
  assert.equal(service.calls[1].method, "DELETE");
  assert.equal(one.getSnapshot().over, "deleted");
});

for (const refusal of [[401, "unauthorized"], [404, "unknown-session"]]) {
  test(`if the response to end() is lost and its repeat gets a ${refusal[0]}, the session is deleted`, async () => {
    const { session: one, machine } = await opened({}, unreachable(), problem(...refusal));
    const end = watched(one.end());
    await machine.advance(2000);
    assert.deepEqual([end.state, one.getSnapshot().over], ["done", "deleted"]);
  });
}

for (const [status, code, over] of [[401, "unauthorized", "credential"], [404, "unknown-session", "deleted"], [403, "cross-origin", undefined]]) {
  test(`if end() is first refused with ${status}, it rejects, and ${over ? `the session ends with ${over}` : "the session continues"}`, async () => {
    const { session: one } = await opened({}, problem(status, code));
    await assert.rejects(one.end(), { code });
    assert.equal(one.getSnapshot().over, over);
  });
}

test("with the option follow: \"poll\", the client uses long polls", async () => {
  const waiting = [];
  const held = () => new Promise((resolve) => waiting.push(resolve));
  const { session: one, service, machine } = await opened({ follow: "poll" }, held, held, held);
  const seen = [];
  const leave = one.subscribe(() => seen.push(one.revision));
  await settled();
  assert.equal(service.calls[1].url, "http://cairn.example/v1/sessions/s1?wait=20s");
  assert.equal(service.calls[1].headers["If-None-Match"], '"1"');
  waiting.shift()(answer(undefined, 304));
  await machine.advance(250);
  waiting.shift()(answer(session(2)));
  await settled();
  assert.deepEqual([one.revision, service.calls[3].headers["If-None-Match"], one.getSnapshot().connection], [2, '"2"', "live"]);
  leave();
  await settled();
  assert.ok(service.calls[3].signal.aborted);
});
