import assert from "node:assert/strict";
import test from "node:test";
import { defaults } from "../src/machine.js";
import { connect } from "../src/node.js";
import { Device } from "../testing/device.js";
import { predictable, startService, until } from "../testing/service.js";

const day = 86_400_000;

/** Posts an action: an odd number opens the restaurant with this number, and an even number leaves it. */
function post(session, place) {
  const posted = place % 2 === 1 ? session.step("restaurantPicked", { restaurantId: place }) : session.back();
  posted.catch(() => {});
}

/** Resolves when no post waits; rejects after a minute. */
function empty(session) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${session.getSnapshot().waiting} posts still wait`)), 60_000);
    session.subscribe(() => {
      if (session.getSnapshot().waiting > 0) return;
      clearTimeout(late);
      resolve();
    });
  });
}

test("500 actions of a week offline, from several pages, run once and in order, even if the service is killed five times", async () => {
  const service = await startService({ ...predictable, CAIRN_IDEMPOTENCY_RETENTION: "1s" });
  const device = new Device(service.url);
  let page = device.page();
  const { id, secret } = await page.start({ app: "delivery" });
  await device.ready(id);
  let place = 0;
  const fill = async (one, count) => {
    // The user sees the effects of the actions.
    await until(one, ({ predicts }) => predicts);
    for (let made = 0; made < count; made += 1) post(one, (place += 1));
    await device.disk.until(() => device.stored(id).pending.at(-1)?.number === place);
  };

  // These actions are sent before the week begins, and their responses are lost. The stored responses of the service expire.
  let arrived;
  const isThere = new Promise((resolve) => { arrived = resolve; });
  device.fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== "POST") return response;
    arrived(JSON.parse(init.body).actions?.length ?? 1);
    return new Promise(() => {});
  };
  page.kill();
  page = device.page();
  await fill(await page.connect({ id, secret }), 4);
  const lost = await isThere;
  page.kill();

  device.isOnline = false;
  for (let reload = 0; reload < 24; reload += 1) {
    page = device.page();
    const one = await page.connect({ id, secret });
    assert.equal(one.getSnapshot().waiting, place);
    await fill(one, reload < 23 ? 20 : 36);
    page.kill();
    await device.machine.advance((7 * day) / 25);
  }
  assert.deepEqual([place, device.stored(id).pending.length], [500, 500]);

  // The device is online again. The service is killed during five requests, alternately after the request was performed and at a random moment.
  let [kills, known] = [0, 0];
  device.fetch = async (url, init) => {
    if (init.method !== "POST" || kills === 5) {
      const response = await fetch(url, init);
      if (init.method === "POST") known += (await response.clone().json()).answers.filter(({ outcome }) => outcome === "known").length;
      return response;
    }
    kills += 1;
    const request = fetch(url, init);
    if (kills % 2 === 1) await request;
    else request.catch(() => {});
    await service.kill();
    await service.restart();
    throw new TypeError("fetch failed");
  };
  device.isOnline = true;
  page = device.page({ timers: defaults.timers });
  const last = await page.connect({ id, secret });
  await empty(last);

  const other = await connect({ baseURL: service.url, id, secret, predict: false });
  const entries = [];
  for (let next = 1; next !== undefined;) {
    const read = await other.history({ after: next, limit: 1000 });
    entries.push(...read.entries);
    next = read.next;
  }
  const expected = Array.from({ length: 500 }, (_, index) => [index + 1, index % 2 === 0 ? index + 1 : "back"]);
  assert.deepEqual(entries.map(({ action, sender }) => [sender.action, action.params?.restaurantId ?? action.type]), expected);
  assert.equal(new Set(entries.map(({ sender }) => sender.client)).size, 1);
  assert.deepEqual([kills, last.revision, device.notices], [5, 501, []]);
  assert.ok(known >= lost, `of ${lost} actions whose stored response had expired, ${known} had the outcome known`);
  last.close();
  await service.stop();
});
