import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { Device } from "../testing/device.js";
import { operatorKey, predictable, root, startService, until } from "../testing/service.js";
import { put } from "../testing/trip.js";

// Tests of the modals and pages that others have put over the pages of a user who acts without a network, in the JavaScript client.
let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "late-work", readFileSync(join(root, "Tests/Acceptance/late-work.yaml"), "utf8"));
});
after(() => service.stop());

const names = ({ stack }) => stack.map(({ screen }) => screen).join(" ");

/** Posts a step of the office. */
async function act({ id }, step) {
  const response = await fetch(`${service.url}/v1/sessions/${id}/actions`, {
    method: "POST", headers: { Authorization: `Bearer ${operatorKey}`, "Content-Type": "application/json" }, body: JSON.stringify({ step }),
  });
  assert.equal(response.status, 200, await response.text());
}

/** Begins a session whose posts do not reach the service, although its events arrive: `{ device, page, session }`. */
async function halfOnline() {
  const device = new Device(service.url);
  device.fetch = (url, init) => (init?.method === "POST" && url.endsWith("/actions") ? new Promise(() => {}) : fetch(url, init));
  const page = device.page();
  const session = await page.start({ app: "late-work" });
  session.subscribe(() => {});
  await device.ready(session.id);
  await until(session, ({ predicts, connection }) => predicts && connection === "live");
  return { device, page, session };
}

for (const [step, what, shown, uncover] of [
  ["called", "a call", "jobs job form call", { step: "callTaken" }],
  ["noticed", "a page", "jobs job form notice", { type: "back" }],
  ["storeShown", "another tab", "parts", { type: "select", tab: 0 }],
]) {
  test(`after a reload without a network, actions that were made before ${what} of the office are still shown below it, and none is refused`, async () => {
    const { device, page, session } = await halfOnline();
    const { id, secret } = session;
    session.step("jobPicked", { id: 1 }).catch(() => {});
    session.step("formOpened").catch(() => {});
    assert.equal(names(session), "jobs job form");
    await act(session, step);
    await until(session, ({ revision }) => revision === 2);
    assert.equal(names(session), shown);
    await device.disk.until(() => device.stored(id).replica.log.length === 1);
    assert.deepEqual(device.stored(id).pending.map(({ seen }) => seen), [1, 1]);
    device.isOnline = false;
    page.kill();

    const rejected = [];
    const next = await device.page({ onRejected: ({ action, code }) => rejected.push([action, code]) }).connect({ id, secret });
    assert.equal(names(next), shown, "the stored screen");
    await until(next, ({ predicts }) => predicts);
    assert.equal(names(next), shown, "the screen that the engine shows");
    next.act(uncover).catch(() => {});
    assert.equal(names(next), "jobs job form");
    assert.equal(next.getSnapshot().waiting, 3);
    device.fetch = fetch;
    await device.goOnline();
    await until(next, ({ waiting }) => waiting === 0);
    assert.deepEqual([names(next), next.revision, rejected], ["jobs job form", 5, []]);
    next.close();
  });
}
