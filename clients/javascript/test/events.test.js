import assert from "node:assert/strict";
import test from "node:test";
import { settled } from "../testing/manual-machine.js";
import { opened, read, watched } from "../testing/opened.js";
import { answer, popped, pushed, session, stream, unreachable } from "../testing/scripted-service.js";

test("changes that the client posted while its stream was disconnected are delivered as events after it reconnects", async () => {
  const again = stream();
  const { session: one, service, live, events } = await read({}, answer(pushed()), again.answer, answer(popped()));
  live.close();
  await settled();
  await one.step("detailIsPicked");
  await one.pop();
  assert.equal(one.revision, 3);
  assert.equal(service.calls[3].headers["Last-Event-ID"], "1");
  again.event("change", pushed(), 2);
  again.event("change", popped(), 3);
  await settled();
  assert.deepEqual([events, one.revision], [["change 2", "change 3"], 3]);
});

test("`refresh` does not change the event id after which the stream resumes", async () => {
  const again = stream();
  const { session: one, service, machine, live, events } = await read({}, answer(session(3)), again.answer);
  live.close();
  await settled();
  await one.refresh();
  await machine.advance(10_000);
  assert.equal(service.calls.at(-1).headers["Last-Event-ID"], "1");
  again.event("change", pushed(), 2);
  again.event("change", popped(), 3);
  await settled();
  assert.deepEqual(events, ["change 2", "change 3"]);
});

test("a reader that begins after the response to a post does not receive the delayed event of that post", async () => {
  const { session: one, live, events } = await read({}, answer(pushed()));
  await one.step("detailIsPicked");
  const later = one.events();
  live.event("change", pushed(), 2);
  live.event("change", popped(), 3);
  await settled();
  assert.deepEqual(events, ["change 2", "change 3"]);
  assert.equal((await later.next()).value.revision, 3);
});

test("a change that the stream sends twice is delivered to the reader once", async () => {
  const again = stream();
  const { machine, live, events } = await read({}, again.answer);
  live.event("change", pushed(), 2);
  await settled();
  live.close();
  await settled();
  await machine.advance(10_000);
  again.event("change", pushed(), 2);
  again.event("change", popped(), 3);
  await settled();
  assert.deepEqual(events, ["change 2", "change 3"]);
});

test("with long polls, the reader receives a `reset` for a change that the client posted itself", async () => {
  const [first, second] = [[], []].map(() => { let resolve; const made = new Promise((then) => { resolve = then; }); return { made, resolve }; });
  const { session: one, service } = await opened({ follow: "poll" }, () => first.made, answer(pushed()), () => second.made);
  const reader = one.events();
  await settled();
  await one.step("detailIsPicked");
  first.resolve(answer(session(2)));
  const { value } = await reader.next();
  assert.deepEqual([value.type, value.revision, service.calls.at(-1).headers["If-None-Match"]], ["reset", 2, '"2"']);
});

test("the client sends entity tags and event ids back unchanged, whatever they contain", async () => {
  const again = stream();
  const tagged = answer(session(1), 200, { ETag: '"1-5f3a9c21"' });
  const { session: one, service, machine, live } = await read({ whole: tagged }, again.answer, answer(popped()));
  assert.equal(service.calls[1].headers["Last-Event-ID"], "1-5f3a9c21");
  live.event("change", pushed(), "2-00ff00ff");
  await settled();
  live.close();
  await settled();
  await machine.advance(10_000);
  assert.equal(service.calls[2].headers["Last-Event-ID"], "2-00ff00ff");
  await one.pop(1, { ifMatch: true });
  assert.equal(service.calls[3].headers["If-Match"], '"2-00ff00ff"');
});

test("a poll sends the newest entity tag in `If-None-Match`, and a weak tag in its strong form", async () => {
  const held = () => new Promise(() => {});
  const { session: one, service } = await opened(
    { follow: "poll", whole: answer(session(1), 200, { ETag: 'W/"1-5f3a9c21"' }) }, answer(session(2), 200, { ETag: '"2-00ff00ff"' }), held);
  one.subscribe(() => {});
  await settled();
  assert.deepEqual(service.calls.slice(1).map((call) => call.headers["If-None-Match"]), ['"1-5f3a9c21"', '"2-00ff00ff"']);
  assert.equal(one.revision, 2);
});

test("if a proxy removes the entity tags, the client pauses between polls", async () => {
  const tagged = answer(session(1), 200, { ETag: '"1-5f3a9c21"' });
  const { session: one, service, machine } = await opened({ follow: "poll", whole: tagged }, ...Array.from({ length: 9 }, () => () => answer(session(1))));
  one.subscribe(() => {});
  await machine.advance(5000);
  assert.ok(service.calls.length <= 8, `${service.calls.length} calls`);
});

test("if a reader has more unread events than its limit, one `reset` replaces them", async () => {
  const live = stream();
  const { session: one } = await opened({}, live.answer);
  const reader = one.events({ limit: 2 });
  await settled();
  for (const [event, id] of [[pushed(2), 2], [popped(3), 3], [pushed(4), 4], [popped(5), 5]]) live.event("change", event, id);
  await settled();
  const first = await reader.next();
  const second = await reader.next();
  assert.deepEqual([first.value.type, first.value.revision, first.value.session.tree], ["reset", 4, one.at && first.value.session.tree]);
  assert.equal(first.value.session.revision, 4);
  assert.deepEqual([second.value.type, second.value.revision], ["change", 5]);
});

test("a reader with too many unread events, one of which cannot be applied, waits until the session is read, and receives a `reset`", async () => {
  const live = stream();
  let answerRead;
  const { session: one } = await opened({}, live.answer, () => new Promise((resolve) => { answerRead = () => resolve(answer(session(4))); }));
  const reader = one.events({ limit: 1 });
  await settled();
  live.event("change", pushed(2), 2);
  // This change names unknown nodes, so events are missing from the snapshot until the session is read.
  live.event("change", { ...pushed(3), changes: [{ op: "pop", in: "n9", to: "n8" }] }, 3);
  live.event("change", popped(4), 4);
  await settled();
  const next = watched(reader.next());
  await settled();
  assert.equal(next.state, "waiting");
  answerRead();
  await settled();
  assert.deepEqual([next.value.value.type, next.value.value.revision], ["reset", 4]);
});

test("after the service was restored from a backup, a `reset` brings the session back to the service's earlier revision", async () => {
  const again = stream();
  const { session: one, machine, live, events } = await read({}, again.answer, answer(session(2), 200, { ETag: '"2-aaaaaaaa"' }));
  live.event("change", pushed(), "2-5f3a9c21");
  live.event("change", popped(), "3-5f3a9c21");
  await settled();
  live.close();
  await settled();
  await machine.advance(10_000);
  again.event("reset", session(2), "2-aaaaaaaa");
  await settled();
  assert.deepEqual([one.revision, events], [2, ["change 2", "change 3", "reset 2"]]);
  again.event("change", pushed(3), "3-bbbbbbbb");
  await settled();
  assert.deepEqual([one.revision, one.visible.screen, events.at(-1)], [3, "detail", "change 3"]);
});

test("the client reads the session again if an event has the session's revision with another hash", async () => {
  const again = stream();
  const other = { ...session(2), facts: { of: "the other two" } };
  const [mine, theirs] = [answer(session(2), 200, { ETag: '"2-5f3a9c21"' }), answer(other, 200, { ETag: '"2-bbbbbbbb"' })];
  const { session: one, machine, live } = await read({}, mine, again.answer, theirs);
  live.close();
  await settled();
  await one.refresh();
  await machine.advance(10_000);
  again.event("change", pushed(2), "2-bbbbbbbb");
  await settled();
  assert.deepEqual(one.facts, { of: "the other two" });
});

test("a `reset` to a revision before the client's own answered post does not bring the session back to it", async () => {
  const { session: one, live, events } = await read({}, answer(pushed()), answer(session(2)));
  await one.step("detailIsPicked");
  live.event("reset", session(1), 1);
  await settled();
  assert.equal(one.revision, 2);
  live.event("change", pushed(), 2);
  await settled();
  assert.deepEqual([one.revision, events], [2, ["reset 1", "change 2"]]);
});

test("a reader receives further events after the service was unreachable", async () => {
  const again = stream();
  const { machine, live, events } = await read({}, unreachable(), unreachable(), again.answer);
  live.close();
  await machine.advance(20_000);
  again.event("change", pushed(), 2);
  await settled();
  assert.deepEqual(events, ["change 2"]);
});
