import assert from "node:assert/strict";
import test from "node:test";
import { change, detail, drawn, followed, home, logged, names, show } from "../testing/drawn.js";
import { settled } from "../testing/manual-machine.js";
import { opened } from "../testing/opened.js";
import { act, createRoot, hydrateRoot, React, renderToString, window } from "../testing/page.js";
import { answer, popped, pushed, session } from "../testing/scripted-service.js";

const { createElement: h } = React;
const { createCairn, Screens, SessionProvider, useActions, useSession, useStep } = await import("../src/react.js");

test("Screens draws the visible screen and, after a change, the new visible screen", async () => {
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

test("a component is rendered again only if its selected value has changed", async () => {
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

test("useSession returns the same object for an equal value, even if the selector is a new function at each render", async () => {
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

test("a new component for a screen replaces the earlier one", async () => {
  const { session: one } = await followed();
  const { place, draw } = await drawn(one, h(Screens, { of: { home: () => "old" } }));
  await draw(h(Screens, { of: { home: () => "new" } }));
  assert.equal(place.innerHTML, "new");
});

test("modals are drawn over the root in their order, including alerts and modals on levels", async () => {
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

test("overlays are drawn over the modals in their own container, and the modal below keeps isTop", async () => {
  const containers = {
    modal: ({ isTop, children }) => h("dialog", { "data-top": isTop }, children), overlay: ({ node, slot, children }) => h("aside", { id: node.id, className: slot }, children),
    stack: ({ children }) => children,
  };
  const { session: one, hear } = await followed();
  const { place } = await drawn(one, h(Screens, { of: logged([], ...names), containers }));
  await hear(change(2, { op: "overlay", slot: "top", node: { id: "n6", kind: "screen", name: "detail", slot: "top" } }));
  const banner = '<aside id="n6" class="top"><p>detail</p></aside>';
  assert.equal(place.innerHTML, `<p>home</p>${banner}`);
  await hear(change(3, { op: "present", on: "n2", node: { id: "n7", kind: "screen", name: "list", style: "sheet" } }));
  assert.equal(place.innerHTML, `<p>home</p><dialog data-top="true"><p>list</p></dialog>${banner}`);
  await hear(change(4, { op: "dismiss", node: "n6" }));
  assert.equal(place.innerHTML, '<p>home</p><dialog data-top="true"><p>list</p></dialog>');
});

test("only the selected tab is drawn, and a container can select another tab", async () => {
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
  assert.deepEqual(service.posts[0][0], { type: "select", tab: 1, from: "n0" });
  assert.equal(place.innerHTML, `<div><p>list</p>${bar}</div>`);
  assert.deepEqual(log, ["render home", "mount home", "render list", "unmount home", "mount list"]);
  place.remove();
});

test("with keepMounted, covered screens and other tabs remain mounted, in a hidden <div> or in the app's pane component", async () => {
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

test("a flow without children draws nothing, and an undefined container is replaced by the default", async () => {
  const tabs = { id: "n0", kind: "tabs", name: "app", selected: 0, children: [{ id: "n1", kind: "stack", name: "main" }] };
  const { session: one, hear } = await followed({ whole: show(tabs) });
  const containers = { stack: undefined, pane: undefined };
  const { place, draw } = await drawn(one, h(Screens, { of: logged([], ...names), containers }));
  assert.equal(place.innerHTML, "");
  await draw(h(Screens, { of: logged([], ...names), containers, keepMounted: true }));
  await hear(pushed());
  assert.equal(place.innerHTML, "<div><div><p>detail</p></div></div>");
});

test("a screen without a component is drawn by the fallback or, without a fallback, reported to the console", async (context) => {
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

for (const strict of [false, true]) {
  test(`the client follows the session only while the provider is mounted${strict ? ", also in StrictMode" : ""}`, async () => {
    const { session: one, service } = await followed({ strict });
    const { draw, unmount } = await drawn(one, h(Screens, { of: logged([], ...names) }), { strict });
    const { signal } = service.calls.at(-1);
    await draw(null);
    assert.deepEqual([one.getSnapshot().connection, signal.aborted], ["live", false]);
    await unmount();
    assert.deepEqual([one.getSnapshot().connection, signal.aborted], ["idle", true]);
  });
}

test("if the provider gets another session, the client follows that session instead of the first one", async () => {
  const [{ session: one }, { session: other }] = [await followed(), await followed({ whole: show({ ...home, name: "list" }) })];
  const of = logged([], ...names);
  const root = createRoot(window.document.createElement("main"));
  for (const given of [one, other]) await act(async () => { root.render(h(SessionProvider, { session: given }, h(Screens, { of }))); await settled(); });
  assert.deepEqual([one, other].map((each) => each.getSnapshot().connection), ["idle", "live"]);
});

test("a server renders the session, and a page is hydrated with the server's snapshot", async (context) => {
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

test("a hook outside of a provider throws an error with the remedy", () => {
  const Lost = () => useSession().revision;
  assert.throws(() => renderToString(h(Lost)), /outside of <SessionProvider>: put one around it/);
});

test("createCairn returns the exported functions, and cairn-client/react exports the same ones", async () => {
  assert.deepEqual(createCairn(), { Screens, SessionProvider, useActions, useSession, useStep });
  assert.deepEqual(await import("cairn-client/react"), await import("../src/react.js"));
});
