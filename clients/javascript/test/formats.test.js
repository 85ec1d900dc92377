import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import test from "node:test";
import { ReplicaRecord } from "../src/replica-record.js";
import { readGroup, readKept } from "../src/storage/kept.js";
import { Device } from "../testing/device.js";
import { settled } from "../testing/manual-machine.js";
import { answer, session as whole } from "../testing/scripted-service.js";

// Content that the client of each released version has stored in a browser. A sample never changes. CAIRN_FREEZE=0.2 records the sample of 0.2, unless
// it exists.
const folder = new URL("../../../Tests/formats/", import.meta.url);
const fileOf = (version) => new URL(`${version}/kept.json`, folder);
const remedy = (version) => `the storage of ${version} changed: give the new form a new number, and keep reading the old one; see docs/versions.md`;

const baseURL = "http://cairn.example";
const sessionKey = `session ${baseURL} s1`;

/** A service that refuses the step `open` and performs all other actions. `sent` has the numbered actions that it received. */
function service() {
  let revision = 1;
  const sent = [];
  const end = ({ step }) => {
    if (step === "open") return { error: { status: 409, code: "not-handled", detail: "it is not-handled" } };
    revision += 1;
    return { outcome: "performed", revision, events: [], changes: [] };
  };
  const fetch = async (url, { method = "GET", body } = {}) => {
    if (method !== "POST") return answer(whole(revision, { label: "tablet" }));
    const { first, actions } = JSON.parse(body);
    const answers = actions.map((action, index) => ({ number: first + index, ...end(action) }));
    sent.push(...actions.map(({ step, type }, index) => [first + index, step ?? type]));
    return answer({ revision, answers });
  };
  return { fetch, sent };
}

async function quiet() {
  for (let turn = 0; turn < 4; turn += 1) await settled();
}

/** Posts actions that wait for the network. */
function post(session, ...actions) {
  for (const action of actions) session.act(action, { queue: true, from: null }).catch(() => {});
}

/** Opens the session `s1` on a device. */
async function opened(device) {
  const page = device.page({ details: false, remember: true });
  return { page, session: await page.connect({ id: "s1", secret: "cs_1" }) };
}

/** Returns what the present client stores, by key: a session with two waiting actions, and a group of refused actions. */
async function stored() {
  const device = new Device(baseURL, service().fetch);
  const { page, session } = await opened(device);
  device.isOnline = false;
  post(session, { step: "open", from: "n2" }, { step: "open", from: { action: 1, node: 0 } });
  await quiet();
  await device.goOnline();
  await quiet();
  device.isOnline = false;
  post(session, { type: "back", from: "n2" }, { step: "fill", from: "n2" });
  await quiet();
  page.kill();
  return Object.fromEntries(device.disk.keys().map((key) => [key, device.disk.stored(key)]));
}

/** Returns the state of a replica as the present client stores it. */
function storedReplica() {
  const record = new ReplicaRecord();
  record.begin({ definition: "a".repeat(64), engine: 6, format: 3, revision: 2, last: 1, state: '{"r":2}' });
  record.add('{"r":3}', 2);
  return record.content(new Map([[2, ["n7"]]]), [{ from: { action: 2, node: 0 } }], "[]");
}

/** Returns the names of the members of a value, with their places. */
function names(value, place = "") {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((one) => names(one, `${place}[]`));
  if (value === null || typeof value !== "object") return [place];
  return Object.entries(value).flatMap(([name, one]) => names(one, `${place}.${name}`));
}

/** Returns the sample without the names that differ per page, such as the id of a group. */
const kinds = (values) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key.replace(/^(\w+ \S+).*/, "$1"), names(value)]));

const frozen = process.env.CAIRN_FREEZE;
if (frozen && !existsSync(fileOf(frozen))) {
  writeFileSync(fileOf(frozen), `${JSON.stringify({ values: await stored(), replica: storedReplica() }, null, 1)}\n`);
}

for (const version of readdirSync(folder).filter((name) => /^\d+\.\d+$/.test(name))) {
  const sample = () => JSON.parse(readFileSync(fileOf(version), "utf8"));

  test(`all that the client of ${version} has stored is read`, () => {
    const { values, replica } = sample();
    const content = { ...values[sessionKey], replica };
    const { kept, notice } = readKept(content, { service: baseURL, id: "s1" });
    assert.equal(notice, undefined, remedy(version));
    const { format, ...members } = content;
    assert.deepEqual(kept, members, remedy(version));
    const groups = Object.entries(values).filter(([key]) => key.startsWith("group "));
    assert.equal(groups.length, 1);
    for (const [key, group] of groups) assert.deepEqual(readGroup(group, { id: key.split(" ")[2] }), { group }, remedy(version));
  });

  test(`actions that waited in the client of ${version} are sent under their numbers, and its groups are shown`, async () => {
    const { values } = sample();
    const { fetch, sent } = service();
    const device = new Device(baseURL, fetch);
    const first = await opened(device);
    await device.disk.until(() => device.stored("s1") !== undefined);
    first.page.kill();
    const disk = device.disk.databases.get("cairn").get("values");
    disk.clear();
    for (const [key, value] of Object.entries(values)) disk.set(key, value);
    const { session } = await opened(device);
    await quiet();
    assert.deepEqual(session.groups().map(({ code, actions }) => [code, actions.length]), [["not-handled", 2]], remedy(version));
    assert.deepEqual([sent, device.notices], [[[3, "back"], [4, "fill"]], []], remedy(version));
    session.close();
  });

  test(`the client stores each member that the client of ${version} has stored, unless the format has another number`, async () => {
    const { values, replica } = sample();
    const now = await stored();
    if (now[sessionKey].format !== values[sessionKey].format) return;
    const [before, after] = [kinds(values), kinds(now)];
    for (const [kind, members] of Object.entries(before)) assert.deepEqual(members.filter((name) => !after[kind]?.includes(name)), [], remedy(version));
    assert.deepEqual(names(replica).filter((name) => !names(storedReplica()).includes(name)), [], remedy(version));
  });
}
