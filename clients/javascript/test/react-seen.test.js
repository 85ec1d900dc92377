import assert from "node:assert/strict";
import test from "node:test";
import { drawn, followed } from "../testing/drawn.js";
import { settled } from "../testing/manual-machine.js";
import { act, React } from "../testing/page.js";
import { answer, popped, problem, pushed } from "../testing/scripted-service.js";

const { createElement: h } = React;
const { Screens, useActions, useStep } = await import("../src/react.js");

/** A screen with a button for a step and a button for `back`. */
function Buttons() {
  const [step, { back }] = [useStep("detailIsPicked"), useActions()];
  return [h("button", { key: 1, onClick: step }, "step"), h("button", { key: 2, onClick: back }, "back")];
}

test("the hooks of a screen are bound to it, so that of two back calls of one render the second one is stale", async () => {
  const answers = [];
  let taken;
  const Detail = () => { taken = useActions(); return "detail"; };
  const { session: one, service: scripted } = await followed({}, answer(pushed()), answer(popped()), problem(409, "dismissed"));
  const { unmount } = await drawn(one, h(Screens, { of: { home: Buttons, detail: Detail, list: Buttons } }));
  await act(async () => { one.step("detailIsPicked"); await settled(); });
  await act(async () => {
    const { back } = taken;
    for (const made of [back(), back()]) made.then((one) => answers.push(one));
    await settled();
  });
  assert.deepEqual(answers.map(({ outcome }) => outcome), ["performed", "stale"]);
  assert.deepEqual(scripted.posts.slice(1).map(([body]) => body), [{ type: "back", from: "n4" }, { type: "back", from: "n4" }]);
  await unmount();
});

test("in a container, gestures and steps are bound to the screen that the container showed", async () => {
  let taken;
  const Stack = ({ children }) => {
    taken = [useActions(), useStep("detailIsPicked")];
    return children;
  };
  const { session: one, service: scripted } = await followed({}, problem(409, "hidden"), problem(409, "hidden"), problem(409, "dismissed"), problem(409, "hidden"));
  const { unmount } = await drawn(one, h(Screens, { of: { home: Buttons, detail: Buttons, list: Buttons }, containers: { stack: Stack } }));
  const [{ back, popTo, dismiss }, step] = taken;
  const answers = [];
  await act(async () => {
    for (const call of [() => back(), () => popTo("home"), () => dismiss(), () => step()]) {
      call().then((one) => answers.push(one));
      await settled();
    }
  });
  assert.deepEqual(answers.map(({ outcome }) => outcome), Array(4).fill("stale"));
  assert.deepEqual(scripted.posts.map(([{ from }]) => from), ["n2", "n2", "n2", "n2"]);
  await unmount();
});
