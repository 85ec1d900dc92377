import assert from "node:assert/strict";
import test from "node:test";
import { settled } from "../testing/manual-machine.js";
import { opened, read, watched } from "../testing/opened.js";
import { answer, popped, pushed, session, stream, unreachable } from "../testing/scripted-service.js";

test("changes that the client posted itself while its stream was away are events too", async () => {
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

test("a reread of the session does not move the cursor of its events", async () => {
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

test("a reader that begins while the stream is behind gets no change that it knows", async () => {
  const { session: one, live, events } = await read({}, answer(pushed()));
  await one.step("detailIsPicked");
  const later = one.events();
  live.event("change", pushed(), 2);
  live.event("change", popped(), 3);
  await settled();
  assert.deepEqual(events, ["change 2", "change 3"]);
  assert.equal((await later.next()).value.revision, 3);
});

test("a change that the stream sends twice is one event", async () => {
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

test("long polls return the client's own posts too", async () => {
  const [first, second] = [[], []].map(() => { let resolve; const made = new Promise((then) => { resolve = then; }); return { made, resolve }; });
  const { session: one, service } = await opened({ follow: "poll" }, () => first.made, answer(pushed()), () => second.made);
  const reader = one.events();
  await settled();
  await one.step("detailIsPicked");
  first.resolve(answer(session(2)));
  const { value } = await reader.next();
  assert.deepEqual([value.type, value.revision, service.calls.at(-1).headers["If-None-Match"]], ["reset", 2, '"2"']);
});

test("tags and ids go back as they came, whatever is in them", async () => {
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

test("a poll sends the tag as it came, and a weak one too", async () => {
  const held = () => new Promise(() => {});
  const { session: one, service } = await opened(
    { follow: "poll", whole: answer(session(1), 200, { ETag: 'W/"1-5f3a9c21"' }) }, answer(session(2), 200, { ETag: '"2-00ff00ff"' }), held);
  one.subscribe(() => {});
  await settled();
  assert.deepEqual(service.calls.slice(1).map((call) => call.headers["If-None-Match"]), ['"1-5f3a9c21"', '"2-00ff00ff"']);
  assert.equal(one.revision, 2);
});

test("a proxy that takes the tags away does not make the polls a loop without a pause", async () => {
  const tagged = answer(session(1), 200, { ETag: '"1-5f3a9c21"' });
  const { session: one, service, machine } = await opened({ follow: "poll", whole: tagged }, ...Array.from({ length: 9 }, () => () => answer(session(1))));
  one.subscribe(() => {});
  await machine.advance(5000);
  assert.ok(service.calls.length <= 8, `${service.calls.length} calls`);
});

test("a reader that is too far behind gets a reset in place of what it did not read", async () => {
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

test("a reader that is too far behind waits for the session where a change is missing", async () => {
  const live = stream();
  let answerRead;
  const { session: one } = await opened({}, live.answer, () => new Promise((resolve) => { answerRead = () => resolve(answer(session(4))); }));
  const reader = one.events({ limit: 1 });
  await settled();
  live.event("change", pushed(2), 2);
  // It does not fit, so the picture has a gap until the session is read.
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

test("a service that was restored from a backup takes the session back to what it has", async () => {
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

test("a session is read again if an event has its revision with another hash", async () => {
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

test("a reset that an own post has overtaken does not take the session back", async () => {
  const { session: one, live, events } = await read({}, answer(pushed()), answer(session(2)));
  await one.step("detailIsPicked");
  live.event("reset", session(1), 1);
  await settled();
  assert.equal(one.revision, 2);
  live.event("change", pushed(), 2);
  await settled();
  assert.deepEqual([one.revision, events], [2, ["reset 1", "change 2"]]);
});

test("an unreachable service is no end of the events", async () => {
  const again = stream();
  const { machine, live, events } = await read({}, unreachable(), unreachable(), again.answer);
  live.close();
  await machine.advance(20_000);
  again.event("change", pushed(), 2);
  await settled();
  assert.deepEqual(events, ["change 2"]);
});
