import assert from "node:assert/strict";
import { createServer } from "node:http";
import test from "node:test";
import { defaults } from "../src/machine.js";
import { connect } from "../src/node.js";
import { Device } from "../testing/device.js";
import { operatorKey, predictable, startService, until } from "../testing/service.js";
import { put } from "../testing/trip.js";

const day = 86_400_000;

/** The app of a technician whose office acts too. The second version has no grade `poor`, which becomes `good`, and no step `shelved`. */
const field = (port, isSecond) => `
app: field
language: 1
compat: { emits: any }
allowHosts: ["127.0.0.1:${port}"]
root: { flow: app }
facts: { grade: { type: string, in: [good${isSecond ? "" : ", poor"}], default: good } }
screens: { list: {}, job: { params: { id: integer } }, visits: {}, visit: {}, alarm: {}, help: {}, notice: {} }
steps:
  jobPicked: { id: integer }
  noted: { text: integer }
  graded: { as: { type: string, in: [good${isSecond ? "" : ", poor"}] } }
  reported: { id: integer }
  ${isSecond ? "" : "shelved:"}
  visitAsked:
  measured: { value: integer }
  sent:
  lost:
  alarmed:
  helped:
  checkDue:
  rang:
  noticed:
  switched:
  visitsClosed:
notifications:
  take:
    - { category: alarmed, how: foreground, send: alarmed, to: root }
    - { category: helped, how: foreground, send: helped, to: root }
    - { category: checkDue, how: foreground, send: checkDue, to: root }
    - { category: switched, how: foreground, send: switched, to: root }
    - { category: noticed, how: foreground, send: noticed, to: jobs }
    - { category: visitsClosed, how: foreground, send: visitsClosed, to: visiting }
flows:
  app:
    tabs: [jobs, visiting]
    handle:
      alarmed: { present: alarm }
      helped: { present: help, level: 5 }
      checkDue: { timer: { after: 1s, send: rang }, of: flow }
      rang: { send: noticed, to: jobs }
      switched: { select: 1 }
      reported: { submit: { post: "http://127.0.0.1:${port}/reports", key: $id, body: { id: $id }, retry: { count: 10, backoff: 100ms }, then: sent, else: lost } }
      sent: { content: { sent: { add: 1 } }, of: list }
      lost: { content: { lost: { add: 1 } }, of: list }
  jobs:
    stack: { screen: list, content: { sent: 0 } }
    handle:
      jobPicked: { push: job, with: { id: $id }, content: { text: 0 } }
      noted: { content: { text: $text } }
      graded: [{ write: { grade: $as } }, { content: { grade: $as } }]
      ${isSecond ? "" : "shelved: { content: { isShelved: true } }"}
      noticed: { push: notice }
  visiting: { stack: visits, handle: { visitAsked: { push: { flow: round } }, visitsClosed: popToRoot } }
  round: { stack: visit, handle: { measured: { content: { value: $value } } } }
`;

const migration = { steps: { graded: { params: { as: "good" } }, shelved: "remove" }, values: { grade: "good" } };

/** A server that receives reports. `keys` has the idempotency keys of each report by the report's id, in the order of the first deliveries. */
async function receiver() {
  const keys = new Map();
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const { id } = JSON.parse(text);
    if (!keys.has(id)) keys.set(id, new Set());
    keys.get(id).add(request.headers["idempotency-key"]);
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  return { keys, port: server.address().port, close: () => { server.close(); server.closeAllConnections(); } };
}

/**
 * Returns the user's action with a number. The first actions are on pages that the office removes. Then 87 jobs are opened and left, and 60 reports are sent.
 */
function planned(number) {
  const first = [["noted", { text: 0 }], "back", 1, ["measured", { value: 3 }], 0][number - 1];
  if (first !== undefined) return first;
  if (number > 440) return ["reported", { id: number }];
  const [round, place] = [Math.floor((number - 6) / 5), (number - 6) % 5];
  return [
    ["jobPicked", { id: number }], ["noted", { text: number }], ["graded", { as: round % 2 === 0 ? "poor" : "good" }],
    round % 10 === 0 ? ["shelved", {}] : ["noted", { text: -number }], "back"][place];
}

/** Returns the name of an action, which has the form of `planned` or the posted form. */
const nameOf = (action) => (Array.isArray(action) ? action[0] : typeof action === "number" ? "select" : action.step ?? action.type ?? action);

/** Posts the user's action with a number. */
function perform(session, number) {
  const action = planned(number);
  const posted = action === "back" ? session.back() : Array.isArray(action) ? session.step(...action, { queue: true }) : session.select(action);
  posted.catch(() => {});
}

/** All nodes of a tree. */
function nodesOf(tree) {
  return [tree, ...[...(tree.children ?? []), ...(tree.presented ? [tree.presented] : []), ...(tree.levels ?? [])].flatMap(nodesOf)];
}

/** The number of the newest action that a device has stored or posted. */
const numberOf = (device, id) => device.stored(id).next - 1;

/** All entries of a session's history. */
async function entriesOf(session) {
  const entries = [];
  for (let after = 1; after !== undefined;) {
    const read = await session.history({ after, limit: 1000 });
    entries.push(...read.entries);
    after = read.next;
  }
  return entries;
}

/** Posts a request of the office. Rejects if the service refuses it. */
async function office(service, path, body) {
  const method = path.includes("/migrations/") ? "PUT" : "POST";
  const headers = { Authorization: `Bearer ${operatorKey}`, "Content-Type": "application/json" };
  const response = await fetch(`${service.url}/v1/${path}`, { method, headers, body: JSON.stringify(body) });
  const found = await response.json();
  assert.ok(response.ok, `${path}: ${JSON.stringify(found)}`);
  return found;
}

/** Resolves when no post waits; rejects after a minute. */
function empty(session) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${session.getSnapshot().waiting} posts still wait`)), 60_000);
    const look = () => {
      if (session.getSnapshot().waiting > 0) return;
      clearTimeout(late);
      resolve();
    };
    session.subscribe(look);
    look();
  });
}

test("500 actions of a week in which others act are refused only on removed pages and without their step, and each message is sent once, in order", async (context) => {
  const reports = await receiver();
  context.after(() => reports.close());
  const service = await startService(predictable);
  context.after(() => service.stop());
  const first = await put(service, "field", field(reports.port, false));
  const device = new Device(service.url);
  let page = device.page();
  const session = await page.start({ app: "field" });
  const { id, secret } = session;
  await device.ready(id);
  await until(session, ({ predicts }) => predicts);
  await session.select(1);
  await session.step("visitAsked");
  await session.select(0);
  await session.step("jobPicked", { id: 0 });
  const open = session.visible.id;
  await device.disk.until(() => device.stored(id).whole.body.revision === session.revision && device.stored(id).pending.length === 0);
  const earlier = numberOf(device, id);
  page.kill();

  // Each day others do something, and the user acts without a network. The page is killed several times a day.
  const watching = await connect({ baseURL: service.url, id, secret, predict: false });
  const tell = (category) => office(service, `sessions/${id}/notifications?tap=false&state=foreground`, { category });
  const notices = () => nodesOf(watching.tree).filter(({ name }) => name === "notice").length;
  const second = await put(service, "field?serve=false", field(reports.port, true));
  await office(service, `apps/field/migrations/${first}/${second}`, migration);
  let expectedNotices = 0;
  const notice = async (category) => {
    await tell(category);
    expectedNotices += 1;
    await until(watching, () => notices() === expectedNotices);
  };
  const others = [
    () => office(service, `sessions/${id}/actions`, { type: "remove", node: open }), () => tell("visitsClosed"), () => tell("alarmed"), () => tell("helped"),
    () => notice("checkDue"), () => notice("noticed"), () => tell("switched"), () => office(service, `sessions/${id}/migrate`, { to: second }),
    () => notice("checkDue"), () => notice("noticed"), () => tell("switched"),
  ];
  device.isOnline = false;
  let made = 0;
  for (let reload = 0; reload < 25; reload += 1) {
    await others[reload]?.();
    page = device.page();
    const one = await page.connect({ id, secret });
    await until(one, ({ predicts }) => predicts);
    for (let count = 0; count < 20; count += 1) perform(one, (made += 1));
    await device.disk.until(() => device.stored(id).pending.length === made);
    page.kill();
    await device.machine.advance((7 * day) / 26);
  }

  // The device is online again. During the first attempt of each of five requests, the service is killed. Three times, the page is killed after a repeated
  // request has been performed.
  const attempts = new Map();
  const kills = { service: 0, page: 0 };
  let killed;
  device.fetch = async (url, init) => {
    if (init.method !== "POST") return fetch(url, init);
    const number = JSON.parse(init.body).first;
    attempts.set(number, (attempts.get(number) ?? 0) + 1);
    const request = fetch(url, init);
    if (attempts.get(number) === 1 && kills.service < 5) {
      kills.service += 1;
      if (kills.service % 2 === 1) await request;
      else request.catch(() => {});
      await service.kill();
      await service.restart();
      throw new TypeError("fetch failed");
    }
    if (attempts.get(number) > 1 && kills.page < 3 && kills.service > kills.page + 1) {
      kills.page += 1;
      await request;
      page.kill();
      killed();
    }
    return request;
  };
  device.isOnline = true;
  let last;
  for (let opened = 0; opened < 4; opened += 1) {
    const isKilled = new Promise((resolve) => { killed = resolve; });
    page = device.page({ timers: defaults.timers });
    last = await page.connect({ id, secret });
    if (opened < 3) await isKilled;
  }
  await empty(last);
  assert.deepEqual(kills, { service: 5, page: 3 });

  const wrong = Array.from({ length: 500 }, (_, index) => index + 1).filter((number) => number < 3 || number === 4 || nameOf(planned(number)) === "shelved");
  const refused = last.groups().flatMap(({ code, actions }) => actions.map(({ action }) => [nameOf(action), code]));
  assert.deepEqual(refused, wrong.map((number) => [nameOf(planned(number)), number < 5 ? "dismissed" : "definition-changed"]));
  const mine = (await entriesOf(watching)).filter(({ sender, action }) => sender?.client !== undefined && sender.action > earlier && action);
  const performed = mine.map(({ sender, action }) => [sender.action - earlier, nameOf(action)]);
  // Others have already selected the tab of the third action, so the third action changes nothing.
  const wanted = Array.from({ length: 500 }, (_, index) => index + 1).filter((number) => number !== 3 && !wrong.includes(number));
  assert.deepEqual(performed, wanted.map((number) => [number, nameOf(planned(number))]));
  assert.deepEqual([...new Set(mine.filter(({ action }) => action.step === "graded").map(({ action }) => action.params.as))], ["good"]);

  // The modals that others have presented still exist, and one of them is in front. Each report was sent once.
  await until(watching, () => nodesOf(watching.tree).find(({ name }) => name === "list").content.value.sent === 60);
  const names = nodesOf(watching.tree).map(({ name }) => name);
  assert.deepEqual([notices(), names.includes("alarm"), watching.visible.screen], [expectedNotices, true, "help"]);
  assert.deepEqual([...reports.keys].map(([report, keys]) => [report, keys.size]), Array.from({ length: 60 }, (_, index) => [441 + index, 1]));
  assert.deepEqual(device.notices, []);
  for (const one of [last, watching]) one.close();
});
