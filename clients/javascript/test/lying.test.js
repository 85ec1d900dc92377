import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { Device } from "../testing/device.js";
import { operatorKey, predictable, startService, until } from "../testing/service.js";
import { put, watch } from "../testing/trip.js";

// A client gains nothing by fabricated requests or a tampered storage: the service refuses the requests, and the page returns to the confirmed state.
const club = `
app: club
language: 1
root: { flow: main }
facts: { member: { type: boolean, default: false }, plan: { type: string, env: CLUB_PLAN } }
screens:
  home: { emits: [enter, slip, knock] }
  lounge: { params: { plan: optional string }, emits: [enter, slip, knock] }
  door: { emits: [enter, slip, knock] }
flows:
  main:
    stack: home
    handle:
      enter:
        - { when: { fact: member }, do: { push: lounge } }
        - { do: { push: door } }
      slip:
        - { when: { fact: member }, do: { push: lounge } }
      hidden: { push: lounge, with: { plan: $fact.plan } }
      knock: { push: door }
`;
const secretPlan = "plan-of-the-members";
const liar = "a-liar-with-22-letters";
const unknown = "f".repeat(64);
const enter = { step: "enter" };

let service;
let hash;
before(async () => {
  service = await startService({ ...predictable, CLUB_PLAN: secretPlan });
  hash = await put(service, "club", club);
  await put(service, "other", club.replace("app: club", "app: other").replace("knock: { push: door }", "knock: { push: home }"));
});
after(() => service.stop());

function begin(app = "club") {
  return start({ baseURL: service.url, app, predict: false });
}

/** Sends a request for a session's id with the given secret. Returns the response's status and body, which must not contain the hidden fact. */
async function call({ id, secret }, method, path, body) {
  const response = await fetch(`${service.url}/v1/sessions/${id}${path}`, {
    method, headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json", Prefer: "return=minimal, replica" }, body: body && JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(text.includes(secretPlan), false, text);
  return { status: response.status, ...JSON.parse(text || "{}") };
}

/** Posts numbered actions. Returns the outcome or error code of each, or the status and code of a request that is refused as a whole. */
async function numbered(session, body) {
  const { status, code, answers } = await call(session, "POST", "/actions", { client: liar, first: 1, ...body });
  return answers?.map(({ outcome, error }) => outcome ?? error.code) ?? [status, code];
}

const revisionOf = async (session) => (await call(session, "GET", "")).revision;

for (const [what, body, ends] of [
  ["a sender that was never created", { first: 7, actions: [{ ...enter, from: { action: 3, node: 0 } }] }, ["dismissed"]],
  ["a sender that a later action would create", { first: 7, actions: [{ ...enter, from: { action: 8, node: 0 } }, { step: "knock" }] }, [422, "invalid"]],
  ["a number below 1", { first: 0, actions: [enter] }, [422, "invalid"]],
  ["a number above 2^53 - 1", { first: 2 ** 53, actions: [enter] }, [422, "invalid"]],
  ["a time without the time of the request", { actions: [{ ...enter, at: 5 }] }, [422, "invalid"]],
  ["a time after the year 9999", { now: 2 ** 53, actions: [{ ...enter, at: 2 ** 53 }] }, [422, "invalid"]],
  ["an unknown definition", { definition: unknown, actions: [enter] }, ["definition-changed"]],
  ["a fabricated state", { replica: { state: "{}" }, actions: [enter] }, [422, "invalid"]],
  ["a fact that only an operator may set", { actions: [{ type: "facts", set: { member: true } }] }, ["operator-only"]],
  ["a step that only the service sends", { actions: [{ step: "hidden" }] }, ["internal-step"]],
]) {
  test(`a post with ${what} is refused and changes nothing`, async () => {
    const session = await begin();
    assert.deepEqual(await numbered(session, body), ends);
    assert.equal(await revisionOf(session), 1 + ends.filter((end) => end === "performed").length);
    assert.equal((await call(session, "GET", "")).tree.children.some(({ name }) => name === "lounge"), false);
  });
}

test("an action number that a client has used does not run another action; in other sessions and for other clients it names no sender", async () => {
  const [session, other] = [await begin(), await begin()];
  assert.deepEqual(await numbered(session, { first: 5, actions: [{ step: "knock" }] }), ["performed"]);
  assert.deepEqual(await numbered(session, { first: 4, actions: [enter, { step: "knock" }] }), ["known", "performed"]);
  assert.deepEqual(await numbered(session, { first: 5, actions: [enter] }), ["idempotency-key-reused"]);
  assert.equal(await revisionOf(session), 2);
  assert.deepEqual(await numbered(other, { first: 6, actions: [{ ...enter, from: { action: 5, node: 0 } }] }), ["dismissed"]);
  // A client can name a node that another client created only by the node's id.
  const { answers } = await call(session, "POST", "/actions", { client: `${liar}-2`, first: 9, actions: [{ ...enter, from: { action: 5, node: 0 } }] });
  assert.equal(answers[0].error.code, "dismissed");
});

test("the service refuses requests with another session's secret or with a fabricated one", async () => {
  const [session, other] = [await begin(), await begin()];
  for (const secret of [other.secret, "cs_made-up", hash]) {
    for (const [method, path, body] of [["GET", "/replica"], ["GET", "/definition"], ["GET", ""], ["POST", "/actions", { client: liar, first: 1, actions: [enter] }]]) {
      assert.equal((await call({ id: session.id, secret }, method, path, body)).status, 401, `${method} ${path}`);
    }
  }
  assert.equal(await revisionOf(session), 1);
});

test("a session can begin only with a definition of its app", async () => {
  const other = await begin("other");
  for (const definition of [unknown, other.getSnapshot().definition, "x"]) {
    await assert.rejects(start({ baseURL: service.url, app: "club", definition }), { code: "definition-gone" });
  }
});

for (const [what, tamper] of [
  ["a fact of the stored state", (kept) => { kept.replica.state = kept.replica.state.replace('"member":false', '"member":true'); }],
  ["a condition of the stored definition", (_, values, key) => { values.set(key, values.get(key).replaceAll('"when":{"fact":"member"}', '"when":{"not":{"fact":"member"}}')); }],
]) {
  test(`a forbidden screen that is predicted after tampering with ${what} is removed in one change after the response`, async (context) => {
    const device = new Device(service.url);
    const page = device.page();
    const first = await page.start({ app: "club" });
    await device.ready(first.id);
    const { id, secret } = first;
    page.kill();
    const values = device.disk.databases.get("cairn").get("values");
    const before = JSON.stringify([...values].filter(([key]) => !key.startsWith("engine")));
    tamper(device.stored(id), values, `definition ${hash}`);
    assert.notEqual(JSON.stringify([...values].filter(([key]) => !key.startsWith("engine"))), before);

    const received = [];
    device.fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (response.headers.get("Content-Type") !== "text/event-stream" && !url.includes("/engine/")) received.push(await response.clone().text());
      return response;
    };
    device.isOnline = false;
    const session = await device.page().connect({ id, secret });
    context.after(() => session.close());
    await until(session, ({ predicts }) => predicts);
    const seen = watch(session);
    for (const [action, shown] of [[enter, ["home lounge", "home door"]], [{ step: "slip" }, ["home door lounge", "home door"]]]) {
      seen.length = 0;
      device.isOnline = false;
      const tap = session.act(action);
      assert.deepEqual(seen.map(([, screens]) => screens), shown.slice(0, 1));
      await device.goOnline();
      await tap;
      await until(session, ({ waiting }) => waiting === 0);
      assert.deepEqual(seen.map(([, screens]) => screens).filter((screens, place, all) => screens !== all[place - 1]), shown);
    }
    const operator = await connect({ baseURL: service.url, id, secret: operatorKey, predict: false });
    assert.deepEqual(session.tree, operator.tree);
    assert.equal(received.some((text) => text.includes(secretPlan)), false);
    assert.equal(JSON.stringify([session.getSnapshot(), device.stored(id)]).includes(secretPlan), false);
  });
}
