import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { change, detail, drawn, followed, held, logged, names } from "../testing/drawn.js";
import { settled } from "../testing/manual-machine.js";
import { act, React, window, withoutJSX } from "../testing/page.js";
import { answer, popped, problem, pushed, session } from "../testing/scripted-service.js";
import { startService, until } from "../testing/service.js";

const { createElement: h } = React;
const { Screens, useActions, useStep } = await import("../src/react.js");

test("a step is bound to the screen whose component calls useStep, which returns the same function in each render", async () => {
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

test("outside of the screens, a step is bound to the visible screen, and with from: null the service chooses the screen", async () => {
  let step;
  const Bar = () => { step = useStep("searchIsRequired"); return null; };
  const { session: one, service } = await followed({}, answer(change(2)), answer(change(3)));
  await drawn(one, h(Bar));
  await act(() => step());
  await act(() => step({}, { from: null }));
  assert.deepEqual(service.posts.map(([body]) => body), [{ step: "searchIsRequired", from: "n2" }, { step: "searchIsRequired" }]);
});

test("a step of a screen that is no longer visible is stale; other refusals are passed to onProblem or, without it, rejected", async () => {
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

test("the provider calls onExit once when the user has agreed to leave the app, and not after it is unmounted", async () => {
  const exited = (revision) => answer({ ...change(revision), events: [{ type: "exit" }] });
  const { session: one } = await followed({}, answer(change(2)), exited(3), exited(4));
  const told = [];
  const { unmount } = await drawn(one, h("p"), { onExit: () => told.push("left") });
  await act(() => one.back());
  assert.deepEqual(told, []);
  await act(() => one.step("leftAgreed"));
  assert.deepEqual(told, ["left"]);
  await unmount();
  await one.step("leftAgreed");
  assert.deepEqual(told, ["left"]);
});

test("the functions of useStep and useActions can be event handlers", async () => {
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
  assert.deepEqual(service.posts.map(([body]) => body), [{ step: "detailIsPicked", from: "n2" }, { type: "back", from: "n4" }]);
  place.remove();
});

const toDetail = { action: { step: "detailIsPicked" }, changes: pushed().changes, outcome: "performed" };
const predictable = { predict: true, whole: session(1, { predictions: [toDetail] }) };

/** Makes a predicted tap on `home`. `log` has the renders and mounts of screens, and `pages` the HTML after each change of the DOM. */
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

test("a response that differs from the prediction changes the page once, and so does a refusal", async () => {
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

test("a step of a predicted screen that the service does not create is stale, and is not sent for the screen that got its id", async () => {
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

/** Resolves when the page has this text. Rejects after ten seconds with the text that the page has then. */
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

test("the React example of the README runs unchanged with a running service", async () => {
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
