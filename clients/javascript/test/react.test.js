import assert from "node:assert/strict";
import test from "node:test";
import { settled } from "../testing/manual-machine.js";
import { opened } from "../testing/opened.js";
import { act, createRoot, hydrateRoot, React, renderToString, window } from "../testing/page.js";
import { answer, popped, problem, pushed, session, stream } from "../testing/scripted-service.js";

const { createElement: h, StrictMode, useEffect } = React;
const { createCairn, Screens, SessionProvider, useActions, useSession, useStep } = await import("../src/react.js");

const home = { id: "n2", kind: "screen", name: "home" };
const detail = { id: "n4", kind: "screen", name: "detail" };
const change = (revision, ...changes) => ({ outcome: "performed", revision, events: [], changes });
const show = (tree) => session(1, { tree });

/** A post whose answer a test gives when it wants. */
function held() {
  let give;
  const given = new Promise((resolve) => { give = resolve; });
  return [() => given, (made) => act(async () => { give(made); await settled(); })];
}

/** A session that is followed: `hear` is a change by another client. StrictMode follows twice. */
async function followed({ whole, strict = false, ...options } = {}, ...answers) {
  const streams = [stream(), ...(strict ? [stream()] : [])];
  const made = await opened({ whole: answer(whole ?? session()), ...options }, ...streams.map((one) => one.answer), ...answers);
  const hear = (body) => act(async () => { streams.at(-1).event("change", body, body.revision); await settled(); });
  return { ...made, hear };
}

/** What `element` draws, below a provider. */
async function drawn(one, element, { strict = false, ...props } = {}) {
  const place = window.document.createElement("main");
  const root = createRoot(place);
  const draw = (element) => act(async () => {
    const provided = h(SessionProvider, { session: one, ...props }, element);
    root.render(strict ? h(StrictMode, {}, provided) : provided);
    await settled();
  });
  await draw(element);
  return { place, draw, unmount: () => act(async () => { root.unmount(); await settled(); }) };
}

/** Screens that keep a log of what React does with them. */
function logged(log, ...names) {
  return Object.fromEntries(names.map((name) => [name, function Screen({ node, params, content }) {
    log.push(`render ${name}`);
    useEffect(() => {
      log.push(`mount ${name}`);
      return () => log.push(`unmount ${name}`);
    }, []);
    return h("p", {}, name, ...Object.values(params), content?.value ?? "", node.meta ?? "");
  }]));
}

const names = ["home", "detail", "list"];

test("the visible screen is drawn, and then the one that a change brings", async () => {
  const log = [];
  const { session: one, hear } = await followed();
  const { place } = await drawn(one, h(Screens, { of: logged(log, ...names) }));
  assert.equal(place.innerHTML, "<p>home</p>");
  await hear(pushed());
  assert.equal(place.innerHTML, "<p>detail</p>");
  await hear(popped());
  assert.equal(place.innerHTML, "<p>home</p>");
  assert.deepEqual(log.filter((line) => !line.startsWith("render")), ["mount home", "unmount home", "mount detail", "unmount detail", "mount home"]);
});

for (const strict of [false, true]) {
  test(`a screen is rendered again only for its own changes${strict ? ", also in StrictMode" : ""}`, async () => {
    const log = [];
    const { session: one, hear } = await followed({ strict });
    const of = logged(log, ...names);
    const { place, draw } = await drawn(one, h(Screens, { of, keepMounted: true }), { strict });
    const [renders, mounts] = strict ? [2, 2] : [1, 1];
    const count = (line) => log.splice(0).filter((one) => one === line).length;
    assert.equal(log.filter((line) => line === "mount home").length, mounts);
    assert.equal(count("render home"), renders);
    await hear(pushed());
    assert.equal(count("render home"), 0);
    await hear(change(3, { op: "present", on: "n2", node: { id: "n6", kind: "screen", name: "list" } }));
    assert.equal(count("render home"), 0);
    assert.equal(one.tree.children[0].children[0].presented.name, "list");
    await draw(h(Screens, { of: { ...of }, keepMounted: true }));
    assert.equal(count("render home"), 0);
    await hear(change(4, { op: "update", node: "n2", params: { at: 7 } }));
    assert.equal(count("render home"), renders);
    assert.match(place.innerHTML, /home7/);
  });
}

test("a component is rendered again only if its selected value is another one", async () => {
  const counts = { length: 0, names: 0, inline: 0, whole: 0 };
  const length = ({ stack }) => stack.length;
  const screens = ({ stack }) => [stack.at(-1).screen === "detail" ? "deep" : "flat"];
  const same = (one, other) => one.join() === other.join();
  const Length = () => { counts.length += 1; return useSession(length); };
  const Names = () => { counts.names += 1; return useSession(screens, same).join(); };
  const Inline = () => { counts.inline += 1; return useSession(({ stack }) => stack[0].screen); };
  const Whole = () => { counts.whole += 1; return useSession().revision; };
  const { session: one, hear } = await followed();
  const { place } = await drawn(one, [Length, Names, Inline, Whole].map((component, index) => h(component, { key: index })));
  const { whole } = counts;
  assert.deepEqual({ ...counts, whole: 0 }, { length: 1, names: 1, inline: 1, whole: 0 });
  await hear(change(2, { op: "update", node: "n2", params: { at: 1 } }));
  await hear(change(3, { op: "update", node: "n2", params: { at: 2 } }));
  assert.deepEqual([counts.length, counts.names, counts.inline], [1, 1, 1]);
  assert.equal(counts.whole, whole + 2);
  await hear(pushed(4));
  assert.deepEqual([counts.length, counts.names, counts.inline], [2, 2, 1]);
  assert.equal(place.innerHTML, "2deephome4");
});
