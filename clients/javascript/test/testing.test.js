import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { runOffline, ScenarioDifference, sketch } from "cairn-client/testing";
import { operatorKey, predictable, root, startService } from "../testing/service.js";
import { put } from "../testing/trip.js";

let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "late-work", readFileSync(join(root, "Tests/Acceptance/late-work.yaml"), "utf8"));
});
after(() => service.stop());

const run = (scenario) => runOffline({ baseURL: service.url, app: "late-work", key: operatorKey, scenarios, ...scenario });

/** Scenarios of Tests/Acceptance/late-work.scenarios.yaml, with shorter names. */
const scenarios = [
  { name: "a job is open", when: { step: "jobPicked", params: { id: 1 } }, then: { tree: "main<*work[jobs, job(id: 1)], store[parts]>" } },
  {
    name: "A queue without others runs as the client has shown it", given: { after: "a job is open" },
    steps: [
      {
        offline: ["formOpened", { step: "textChanged", params: { text: "oil" } }, "formSent", "back"],
        online: { tree: "main<*work[jobs, job(id: 1), form(id: 1)~{text:oil}], store[parts]>" },
      },
      { when: "formSent", then: { visible: "done" } },
    ],
  },
  {
    name: "A modal of the user and a call are both kept", given: { after: "a job is open" },
    steps: [
      { offline: ["noteOpened"], meanwhile: "called", online: { refused: [], visible: "call" } },
      { when: "callTaken", then: { visible: "note" } },
      { offline: ["noteSaved", "back"], meanwhile: "called", online: { refused: [], tree: "main<*work[jobs], store[parts]> ^ call" } },
    ],
  },
  {
    name: "Back does not close an alarm that the user has not seen", given: { after: "a job is open" },
    steps: [
      { offline: ["formOpened", "back", "back"], meanwhile: "alarmed", online: { tree: "main<*work[jobs], store[parts]> ^5 urgent" } },
      { when: "urgentRead", then: { visible: "jobs" } },
    ],
  },
  {
    name: "A sealed lock refuses the actions under it", given: { after: "a job is open" },
    steps: [
      {
        offline: ["formOpened", "formSent", "back"], meanwhile: "locked",
        online: { refused: ["formOpened hidden", "formSent dismissed", "back dismissed"], tree: "main<*work[jobs, job(id: 1)], store[parts]> ^9 lock" },
      },
      { when: "unlocked", then: { visible: "job" } },
    ],
  },
  {
    name: "Work on a job that the office has withdrawn is refused, and the rest of the day is not", given: { after: "a job is open" },
    offline: ["formOpened", "back", "back", { step: "jobPicked", params: { id: 2 } }, "formOpened"],
    meanwhile: "withdrawn",
    online: { refused: ["formOpened dismissed", "back dismissed", "back dismissed"], tree: "main<*work[jobs, job(id: 2), form(id: 2)~{text:}], store[parts]>" },
  },
  {
    name: "The last tab that the user has tapped is selected", given: { after: "a job is open" },
    offline: [{ type: "select", tab: 1 }, { step: "partPicked", params: { name: "belt" } }, { type: "select", tab: 0 }, "formOpened"],
    meanwhile: "storeShown",
    online: { refused: [], tree: "main<*work[jobs, job(id: 1), form(id: 1)~{text:}], store[parts, part(name: belt)]>" },
  },
  {
    name: "A reminder that was due in between is in front", given: { after: "a job is open" },
    offline: ["formOpened", "formSent"], meanwhile: [{ advance: "3d" }, "called"],
    online: { refused: [], tree: "main<*work[jobs, job(id: 1), form(id: 1)~{text:}, done(id: 1)] ^ reminder, store[parts]> ^ call" },
  },
  {
    name: "A fact of the office decides, and what needs the page of the client is refused", given: { after: "a job is open" },
    offline: ["formOpened", { step: "textChanged", params: { text: "oil" } }], meanwhile: "dayClosed",
    online: { refused: ["textChanged not-in-contract"], tree: "main<*work[jobs, job(id: 1), closed], store[parts]>", facts: { isClosed: true } },
  },
  {
    name: "A link that was tapped without a network is followed",
    offline: [{ open: "late://jobs/7" }, "formOpened"], meanwhile: ["called", "noticed"],
    online: { refused: [], visible: "call", stack: ["jobs", "job", "form", "notice", "call"] },
  },
];

for (const scenario of scenarios) test(`with this client: ${scenario.name}`, () => run(scenario));

test("a difference names the place, the expected and the found result", async () => {
  const wrong = {
    name: "a call", offline: { step: "jobPicked", params: { id: 1 } }, meanwhile: "called",
    online: { refused: ["jobPicked hidden"], tree: "main<*work[jobs], store[parts]> ^ call", visible: "call", facts: { isClosed: true } },
  };
  await assert.rejects(run(wrong), (problem) => {
    assert.ok(problem instanceof ScenarioDifference);
    assert.deepEqual(problem.message.split("\n"), [
      "a call, online",
      'refused: expected ["jobPicked hidden"]',
      "         found    []",
      "tree: expected main<*work[jobs], store[parts]> ^ call",
      "      found    main<*work[jobs, job(id: 1)], store[parts]> ^ call",
      "fact isClosed: expected true",
      "               found    false",
    ]);
    return true;
  });
});

for (const [what, scenario, message] of [
  ["an action that the client refuses", { offline: [{ type: "token", accessToken: "t" }], online: {} }, /token: the client refuses it without a network \(offline\)/],
  ["an event that the service refuses", { offline: [], meanwhile: "callTaken", online: {} }, /callTaken: refused \(/],
  ["an expectation that the kit does not check", { when: [], then: { changes: [] } }, /does not check `changes`/],
  ["an event that the kit cannot post", { when: { undo: 3 }, then: {} }, /\{"undo":3\} is no event/],
  ["an unknown start", { given: { after: "nothing" } }, /no scenario "nothing"/],
]) {
  test(`${what} fails with a message`, () => assert.rejects(run(scenario), message));
}

test("without an engine, the scenario fails with a message within the time limit", async () => {
  const plain = await startService({ CAIRN_ENGINE: "", CAIRN_PREDICT: "" });
  await assert.rejects(run({ baseURL: plain.url, app: "delivery", within: 200, offline: [], online: {} }), /the client has loaded the engine/);
  await plain.stop();
});

test("a tree is written as in scenario files", () => {
  const screen = (name, more = {}) => ({ id: "n1", kind: "screen", name, ...more });
  const tree = {
    id: "n0", kind: "stack", name: "main", children: [screen("home", { content: { status: "idle" } }), screen("note", { params: { b: true, a: [1], c: "x" } })],
    presented: { id: "n2", kind: "split", name: "halves", children: [screen("one"), screen("two", { content: { status: "loading" } })] },
    levels: [screen("lock", { level: 9, content: { status: "failed", error: "timeout" } })], overlays: [screen("bar", { slot: "top", content: { status: "loaded", value: { z: [1, null], a: { t: "u" } } } })],
  };
  assert.equal(sketch(tree), "main[home, note(a: array, b: true, c: x)] ^ halves{one | two~loading} +top bar~{a:{t:u},z:[1,null]} ^9 lock~failed");
});
