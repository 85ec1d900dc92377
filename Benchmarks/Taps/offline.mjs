// Measures the JavaScript client in Node while many actions wait. Prints a line of JSON per figure.
// usage: node offline.mjs URL ROUND_TRIP_MS
import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { defaults } from "../../clients/javascript/src/machine.js";
import { at, within } from "./measure.mjs";
import { proxy } from "./proxy.mjs";

/** The browser of the client's tests, whose types are not checked. */
const { Device } = await import(new URL("../../clients/javascript/testing/device.js", import.meta.url).href);
const [service, roundTrip] = process.argv.slice(2);
const repeats = 40;

/**
 * Starts a session of the delivery app in a page of a device, with the timers of the platform. Resolves when the session is stored, and the engine predicts.
 */
async function paged(url) {
  const device = new Device(url);
  const page = device.page({ timers: defaults.timers });
  const session = await within(page.start({ app: "delivery" }), "the start of a session");
  await within(device.ready(session.id), "the stored definition and state");
  await until(session, ({ predicts }) => predicts, "the engine");
  return { device, page, session };
}

/** Resolves when a condition of a session's snapshot is true. */
function until(session, isTrue, what) {
  let leave;
  const reached = new Promise((resolve) => {
    const look = () => { if (isTrue(session.getSnapshot())) resolve(); };
    leave = session.subscribe(look);
    look();
  });
  return within(reached, what).finally(() => leave());
}

/** Opens a restaurant, or goes back. */
function tap(session, turn) {
  const posted = turn % 2 === 0 ? session.step("restaurantPicked", { restaurantId: turn }) : session.back();
  posted.catch(() => {});
}

/** The milliseconds from a tap until the tree has changed, and until the tasks that it has caused have run. */
async function tapped(session, turn) {
  const began = performance.now();
  const before = session.tree;
  let shown;
  const leave = session.subscribe(() => { if (session.tree !== before) shown ??= performance.now() - began; });
  tap(session, turn);
  await nextTurn();
  leave();
  if (shown === undefined) throw new Error("a tap without a network was not shown in its task");
  return { shown, free: performance.now() - began };
}

/** Resolves when all actions up to a number are stored. */
function stored({ device, session }, number) {
  return within(device.disk.until(() => device.stored(session.id).pending.at(-1)?.number === number), `${number} stored actions`);
}

function print(name, times, more) {
  console.log(JSON.stringify({ name, median: at(times, 0.5), p99: at(times, 0.99), ...more }));
}

/** Prints the times of taps while 0 and 500 actions wait, and then the time of opening the page again. */
async function offline() {
  const { device, page, session } = await paged(service);
  device.isOnline = false;
  let made = 0;
  for (const waiting of [0, 500]) {
    while (made < waiting) tap(session, made++);
    if (waiting > 0) await stored({ device, session }, made);
    const taps = [];
    for (let turn = 0; turn < repeats; turn += 1) taps.push(await tapped(session, made++));
    for (const kind of ["shown", "free"]) print(`tap, ${waiting} waiting, ${kind}`, taps.map((one) => one[kind]));
    await stored({ device, session }, made);
  }
  const shown = JSON.stringify(session.tree);
  const { id, secret } = session;
  page.kill();
  const restarts = [];
  for (let turn = 0; turn < 11; turn += 1) {
    const next = device.page({ timers: defaults.timers });
    const began = performance.now();
    const one = await within(next.connect({ id, secret }), "the stored session");
    if (JSON.stringify(one.tree) !== shown) await until(one, ({ predicts }) => predicts && JSON.stringify(one.tree) === shown, "the last screen");
    restarts.push(performance.now() - began);
    next.kill();
  }
  print(`restart, ${made} waiting`, restarts);
}

/** Prints the milliseconds from the return of the network until the service has confirmed 400 actions. */
async function drained() {
  const far = await proxy(service, Number(roundTrip));
  const { device, page, session } = await paged(far.url);
  device.isOnline = false;
  for (let turn = 0; turn < 400; turn += 1) tap(session, turn);
  await stored({ device, session }, 400);
  const posts = page.posts;
  const began = performance.now();
  await device.goOnline();
  await until(session, ({ waiting }) => waiting === 0, "the confirmation of 400 actions");
  print(`400 confirmed, round trip ${roundTrip} ms`, [performance.now() - began], { requests: page.posts - posts });
  session.close();
  far.close();
}

await offline();
await drained();
process.exit();
