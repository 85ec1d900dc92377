import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { settled } from "../testing/manual-machine.js";
import { opened } from "../testing/opened.js";
import { act, createRoot, hydrateRoot, React, renderToString, window, withoutJSX } from "../testing/page.js";
import { answer, popped, problem, pushed, session, stream } from "../testing/scripted-service.js";
import { startService, until } from "../testing/service.js";

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

/** Draws an element below a provider. */
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

test("an equal value stays the same object, also for a selector that is another function at each render", async () => {
  const values = new Set();
  const Names = () => {
    values.add(useSession(({ stack }) => stack.map(({ screen }) => screen), (one, other) => one.join() === other.join()));
    return null;
  };
  const { session: one, hear } = await followed();
  const { draw } = await drawn(one, h(Names));
  await draw(h(Names));
  await hear(change(2, { op: "update", node: "n2", params: { at: 1 } }));
  assert.equal(values.size, 1);
  await hear(pushed(3));
  assert.equal(values.size, 2);
});

test("another component for a screen replaces the first", async () => {
  const { session: one } = await followed();
  const { place, draw } = await drawn(one, h(Screens, { of: { home: () => "old" } }));
  await draw(h(Screens, { of: { home: () => "new" } }));
  assert.equal(place.innerHTML, "new");
});

test("a step is bound to the screen whose component calls it", async () => {
  const steps = {};
  const seen = new Set();
  const screen = ({ node }) => {
    steps[node.name] = useStep("rowIsPicked");
    seen.add(steps[node.name]);
    return null;
  };
  const { session: one, service, hear } = await followed({}, answer(change(4)), answer(change(5)));
  await drawn(one, h(Screens, { of: { home: screen, detail: screen, list: screen }, keepMounted: true }));
  await hear(pushed());
  await hear(change(3, { op: "update", node: "n2", params: { at: 7 } }));
  assert.equal(seen.size, 3);
  await act(() => steps.home({ row: 1 }));
  await act(() => steps.detail({ row: 1 }, { key: "own" }));
  assert.deepEqual(service.posts, [
    [{ step: "rowIsPicked", params: { row: 1 }, from: "n2" }, '"key-1"'], [{ step: "rowIsPicked", params: { row: 1 }, from: "n4" }, '"own"'],
  ]);
});

test("outside of the screens a step is that of the visible screen, and null leaves the choice to the service", async () => {
  let step;
  const Bar = () => { step = useStep("searchIsRequired"); return null; };
  const { session: one, service } = await followed({}, answer(change(2)), answer(change(3)));
  await drawn(one, h(Bar));
  await act(() => step());
  await act(() => step({}, { from: null }));
  assert.deepEqual(service.posts.map(([body]) => body), [{ step: "searchIsRequired", from: "n2" }, { step: "searchIsRequired" }]);
});

test("a step of a screen that has gone is stale; another refusal goes to onProblem, and is rejected without one", async () => {
  let [step, back] = [];
  const screen = () => {
    step = useStep("detailIsPicked");
    ({ back } = useActions());
    return null;
  };
  const of = { home: screen, detail: screen, list: screen };
  const problems = [];
  const refusals = () => [problem(409, "hidden", {}, { revision: 1 }), problem(409, "not-accepted"), problem(409, "not-accepted")];
  const { session: one } = await followed({}, ...refusals(), ...refusals().slice(1));
  const { unmount } = await drawn(one, h(Screens, { of }), { onProblem: ({ code }) => problems.push(code) });
  assert.equal((await step()).outcome, "stale");
  assert.equal(await step(), undefined);
  assert.equal(await back(), undefined);
  assert.deepEqual(problems, ["not-accepted", "not-accepted"]);
  await unmount();
  const { unmount: end } = await drawn((await followed({}, ...refusals().slice(1))).session, h(Screens, { of }));
  await assert.rejects(step(), { code: "not-accepted" });
  await assert.rejects(back(), { code: "not-accepted" });
  await end();
});

test("steps and actions can be the handlers of events", async () => {
  const Button = () => {
    const [step, { back }] = [useStep("detailIsPicked"), useActions()];
    return [h("button", { key: 1, onClick: step }), h("button", { key: 2, onClick: back })];
  };
  const { session: one, service } = await followed({}, answer(pushed()), answer(popped()));
  const { place } = await drawn(one, h(Screens, { of: { home: Button, detail: Button, list: Button } }));
  window.document.body.append(place);
  for (const index of [0, 1]) {
    await act(async () => { place.children[index].click(); await settled(); });
  }
  assert.deepEqual(service.posts.map(([body]) => body), [{ step: "detailIsPicked", from: "n2" }, { type: "back" }]);
  place.remove();
});

test("modals are over the root in their order, those on levels and alerts too", async () => {
  const modal = ({ node, isTop, children }) => h("dialog", { id: node.id, className: node.style, "data-top": isTop }, children);
  const containers = { modal, stack: ({ node, children }) => h("section", { id: node.id }, children) };
  const { session: one, hear } = await followed();
  const { place } = await drawn(one, h(Screens, { of: logged([], ...names), containers }));
  const root = '<section id="n1"><p>home</p></section>';
  assert.equal(place.innerHTML, root);
  const flow = { id: "n6", kind: "stack", name: "more", style: "sheet", children: [{ id: "n7", kind: "screen", name: "list" }] };
  await hear(change(2, { op: "present", on: "n2", node: flow }));
  await hear(change(3, { op: "present", on: "n7", node: { id: "n8", kind: "alert", name: "detail", style: "alert" } }));
  const sheet = (isTop) => `<dialog id="n6" class="sheet" data-top="${isTop}"><section id="n6"><p>list</p></section></dialog>`;
  const alert = (isTop) => `<dialog id="n8" class="alert" data-top="${isTop}"><p>detail</p></dialog>`;
  assert.equal(place.innerHTML, root + sheet(false) + alert(true));
  await hear(change(4, { op: "present", on: "n0", level: 1, node: { id: "n9", kind: "screen", name: "home", level: 1 } }));
  assert.equal(place.innerHTML, `${root}${sheet(false)}${alert(false)}<dialog id="n9" data-top="true"><p>home</p></dialog>`);
  await hear(change(5, { op: "dismiss", node: "n9" }, { op: "dismiss", node: "n8" }));
  assert.equal(place.innerHTML, root + sheet(true));
  await hear(change(6, { op: "dismiss", node: "n6" }));
  assert.equal(place.innerHTML, root);
});

test("of tabs one is shown, and a container can select another", async () => {
  const Tabs = ({ node, children }) => {
    const { select } = useActions();
    return h("div", {}, children, h("nav", {}, node.children.map(({ id, name }, index) => h("button", { key: id, onClick: () => select(index) }, name))));
  };
  const log = [];
  const { session: one, service } = await followed({}, answer(change(2, { op: "select", in: "n0", index: 1 })));
  const { place } = await drawn(one, h(Screens, { of: logged(log, ...names), containers: { tabs: Tabs } }));
  window.document.body.append(place);
  const bar = "<nav><button>main</button><button>other</button></nav>";
  assert.equal(place.innerHTML, `<div><p>home</p>${bar}</div>`);
  await act(async () => { place.querySelectorAll("button")[1].click(); await settled(); });
  assert.deepEqual(service.posts[0][0], { type: "select", tab: 1 });
  assert.equal(place.innerHTML, `<div><p>list</p>${bar}</div>`);
  assert.deepEqual(log, ["render home", "mount home", "render list", "unmount home", "mount list"]);
  place.remove();
});

test("with keepMounted covered screens and other tabs stay mounted, in a pane of the app or in a hidden <div>", async () => {
  const log = [];
  const { session: one, hear } = await followed();
  const of = logged(log, ...names);
  const { place, draw } = await drawn(one, h(Screens, { of, keepMounted: true }));
  const pane = (isHidden, inner) => `<div${isHidden ? ' hidden=""' : ""}>${inner}</div>`;
  assert.equal(place.innerHTML, pane(false, pane(false, "<p>home</p>")) + pane(true, pane(false, "<p>list</p>")));
  const [, list] = place.children;
  await hear(pushed());
  await hear(change(3, { op: "select", in: "n0", index: 1 }));
  assert.equal(place.innerHTML, pane(true, pane(true, "<p>home</p>") + pane(false, "<p>detail</p>")) + pane(false, pane(false, "<p>list</p>")));
  assert.equal(place.children[1], list);
  assert.deepEqual(log.filter((line) => /mount/.test(line)), ["mount home", "mount list", "mount detail"]);
  const containers = { pane: ({ node, isHidden, children }) => (isHidden ? `(${node.name})` : children) };
  await draw(h(Screens, { of, keepMounted: true, containers }));
  assert.equal(place.textContent, "(main)list");
});

test("a split shows both panes, and keeps the detail mounted when it becomes a stack; a switch shows its child", async () => {
  const log = [];
  const split = { id: "n1", kind: "split", name: "halves", children: [home, detail] };
  const { session: one, hear } = await followed({ whole: show({ id: "n0", kind: "switch", name: "app", children: [split] }) });
  const containers = { split: ({ node, children }) => h("main", { className: node.collapsed ? "one" : "two" }, children) };
  const { place } = await drawn(one, h(Screens, { of: logged(log, ...names), containers }));
  assert.equal(place.innerHTML, '<main class="two"><p>home</p><p>detail</p></main>');
  await hear(change(2, { op: "set", in: "n1", kind: "stack", children: [home, detail] }));
  assert.equal(place.innerHTML, '<main class="one"><p>detail</p></main>');
  assert.deepEqual(log.filter((line) => /mount/.test(line)), ["mount home", "mount detail", "unmount home"]);
});

test("a flow without children draws nothing, and a container that is undefined is the default", async () => {
  const tabs = { id: "n0", kind: "tabs", name: "app", selected: 0, children: [{ id: "n1", kind: "stack", name: "main" }] };
  const { session: one, hear } = await followed({ whole: show(tabs) });
  const containers = { stack: undefined, pane: undefined };
  const { place, draw } = await drawn(one, h(Screens, { of: logged([], ...names), containers }));
  assert.equal(place.innerHTML, "");
  await draw(h(Screens, { of: logged([], ...names), containers, keepMounted: true }));
  await hear(pushed());
  assert.equal(place.innerHTML, "<div><div><p>detail</p></div></div>");
});

test("a screen without a component is drawn by the fallback, or reported", async (context) => {
  const reported = context.mock.method(console, "error", () => {});
  const { session: one, hear } = await followed({ whole: show({ id: "n0", kind: "stack", name: "app", children: [{ ...home, name: "constructor" }] }) });
  const { place, draw } = await drawn(one, h(Screens, { of: {}, fallback: ({ node, params }) => `${node.name} ${JSON.stringify(params)}` }));
  assert.equal(place.innerHTML, "constructor {}");
  await draw(h(Screens, { of: { other: () => null } }));
  await hear(change(2, { op: "update", node: "n2", params: { at: 7 } }));
  assert.equal(place.innerHTML, "");
  assert.deepEqual(reported.mock.calls.map(({ arguments: [line] }) => line), [
    '<Screens> has no component for the screen "constructor": add it to "of", or give a "fallback"',
  ]);
});

const toDetail = { action: { step: "detailIsPicked" }, changes: pushed().changes, outcome: "performed" };
const predictable = { predict: true, whole: session(1, { predictions: [toDetail] }) };

/** A tap on `home` that is predicted and not answered: the log of React, and the page as each change of the DOM left it. */
async function tapped(...answers) {
  const log = [];
  const pages = [];
  let step;
  const Home = () => { step = useStep("detailIsPicked"); return h("p", {}, "home"); };
  const made = await followed(predictable, ...answers);
  const { place } = await drawn(made.session, h(Screens, { of: { ...logged(log, ...names), home: Home } }));
  new window.MutationObserver(() => pages.push(place.innerHTML)).observe(place, { childList: true, subtree: true, characterData: true, attributes: true });
  let tap;
  await act(async () => { tap = step(); await settled(); });
  return { ...made, tap, log, pages, place };
}

test("the response that confirms a predicted tap mounts, renders and changes nothing", async () => {
  const [post, give] = held();
  const { session: one, tap, log, pages, place } = await tapped(post);
  assert.deepEqual([log.splice(0), pages.splice(0)], [["render detail", "mount detail"], ["<p>detail</p>"]]);
  const [drawn] = place.children;
  await give(answer(pushed()));
  assert.equal((await tap).outcome, "performed");
  assert.equal(one.revision, 2);
  assert.deepEqual([log, pages], [[], []]);
  assert.equal(place.children[0], drawn);
});

test("a response that differs is one change of the page, and so is a refusal", async () => {
  const [[first, giveFirst], [second, giveSecond]] = [held(), held()];
  const other = await tapped(first);
  await giveFirst(answer(change(2, { op: "select", in: "n0", index: 1 })));
  await other.tap;
  assert.deepEqual(other.pages, ["<p>detail</p>", "<p>list</p>"]);
  const refused = await tapped(second);
  const rejected = assert.rejects(refused.tap, { code: "not-accepted" });
  await giveSecond(problem(409, "not-accepted"));
  await rejected;
  assert.deepEqual(refused.pages, ["<p>detail</p>", "<p>home</p>"]);
});

test("a step of a screen that was predicted and did not come is stale, and is not sent for the screen that got its id", async () => {
  const [post, give] = held();
  const steps = {};
  const screen = ({ node: { name } }) => { steps[name] = useStep("rowIsPicked"); return null; };
  const { session: one, service } = await followed(predictable, post, answer(change(3)));
  await drawn(one, h(Screens, { of: { home: screen, detail: screen, list: screen }, keepMounted: true }));
  let taps;
  await act(async () => { taps = [one.step("detailIsPicked")]; await settled(); });
  taps.push(steps.detail(), steps.home());
  await give(answer(change(2, { op: "push", in: "n1", node: { ...detail, name: "list" } })));
  await act(() => Promise.all(taps));
  assert.deepEqual((await Promise.all(taps)).map(({ outcome }) => outcome), ["performed", "stale", "performed"]);
  assert.deepEqual(service.posts.map(([{ from }]) => from), ["n2", "n2"]);
});

for (const strict of [false, true]) {
  test(`the session is followed while the provider is mounted, and no longer${strict ? ", also in StrictMode" : ""}`, async () => {
    const { session: one, service } = await followed({ strict });
    const { draw, unmount } = await drawn(one, h(Screens, { of: logged([], ...names) }), { strict });
    const { signal } = service.calls.at(-1);
    await draw(null);
    assert.deepEqual([one.getSnapshot().connection, signal.aborted], ["live", false]);
    await unmount();
    assert.deepEqual([one.getSnapshot().connection, signal.aborted], ["idle", true]);
  });
}

test("another session replaces the first, which is no longer followed", async () => {
  const [{ session: one }, { session: other }] = [await followed(), await followed({ whole: show({ ...home, name: "list" }) })];
  const of = logged([], ...names);
  const root = createRoot(window.document.createElement("main"));
  for (const given of [one, other]) await act(async () => { root.render(h(SessionProvider, { session: given }, h(Screens, { of }))); await settled(); });
  assert.deepEqual([one, other].map((each) => each.getSnapshot().connection), ["idle", "live"]);
});

test("a server renders the session, and a page goes on from its snapshot", async (context) => {
  const reported = context.mock.method(console, "error", () => {});
  const of = logged([], ...names);
  const { session: served } = await opened({});
  const html = renderToString(h(SessionProvider, { session: served }, h(Screens, { of })));
  assert.equal(html, "<p>home</p>");
  assert.equal(served.getSnapshot().connection, "idle");
  const serverSnapshot = JSON.parse(JSON.stringify(served.getSnapshot()));
  const later = show({ ...session().tree, selected: 1 });
  const { session: one } = await followed({ whole: { ...later, revision: 2 } });
  const place = window.document.createElement("main");
  place.innerHTML = html;
  await act(async () => { hydrateRoot(place, h(SessionProvider, { session: one, serverSnapshot }, h(Screens, { of }))); await settled(); });
  assert.equal(place.innerHTML, "<p>list</p>");
  assert.deepEqual(reported.mock.calls, []);
});

test("a hook outside of a provider says what to do", () => {
  const Lost = () => useSession().revision;
  assert.throws(() => renderToString(h(Lost)), /outside of <SessionProvider>: put one around it/);
});

test("createCairn gives the functions themselves, and the package has them", async () => {
  assert.deepEqual(createCairn(), { Screens, SessionProvider, useActions, useSession, useStep });
  assert.deepEqual(await import("cairn-client/react"), await import("../src/react.js"));
});

/** Resolves when the page has this text; rejects after ten seconds with the text that it has. */
function reads(place, text) {
  return new Promise((resolve, reject) => {
    const observer = new window.MutationObserver(look);
    const late = setTimeout(() => finish(() => reject(new Error(`still ${place.textContent}`))), 10_000);
    observer.observe(place, { childList: true, subtree: true, characterData: true });
    look();
    function look() {
      if (place.textContent === text) finish(resolve);
    }
    function finish(end) {
      clearTimeout(late);
      observer.disconnect();
      end();
    }
  });
}

test("the snippet of the README runs as it stands, over the service", async () => {
  const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, program] = /<!-- react -->\n```jsx\n([^]*?)```/.exec(page);
  const folder = mkdtempSync(join(tmpdir(), "cairn-react-"));
  const service = await startService();
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  let shown;
  try {
    const file = join(folder, "page.mjs");
    writeFileSync(file, `${withoutJSX(program.replace("http://127.0.0.1:8080", service.url))}export { session };\n`);
    shown = await import(file);
    const place = window.document.getElementById("root");
    const tap = (name) => [...place.querySelectorAll("button")].find(({ textContent }) => textContent === name).click();
    await reads(place, "Trattoria Lunahomeordersprofilelive");
    tap("Trattoria Luna");
    tap("Trattoria Luna");
    await reads(place, "Restaurant 4Backhomeordersprofilelive");
    await until(shown.session, ({ waiting }) => waiting === 0);
    assert.equal(shown.session.stack.length, 2);
    tap("Back");
    await reads(place, "Trattoria Lunahomeordersprofilelive");
    tap("profile");
    await reads(place, "profileHomehomeordersprofilelive");
    await until(shown.session, ({ waiting }) => waiting === 0);
  } finally {
    globalThis.IS_REACT_ACT_ENVIRONMENT = true;
    await act(() => shown?.session.close());
    await service.stop();
    rmSync(folder, { recursive: true });
  }
});
