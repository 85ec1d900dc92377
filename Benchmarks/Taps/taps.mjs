// Measures taps of the JavaScript client over a proxy that delays. Prints one JSON line per delay. The second service gives clients its engine.
// usage: node taps.mjs URL URL_WITH_ENGINE DELAY_MS…
import { connect as open, createServer } from "node:net";
import { performance } from "node:perf_hooks";
import { start } from "../../clients/javascript/src/node.js";

const [service, serviceWithEngine, ...delays] = process.argv.slice(2);
const sessions = 20;
const rounds = 10;

/** A proxy on a free port. Each byte arrives half of the round trip later, in each direction. */
function proxy(service, roundTrip) {
  const target = new URL(service);
  const server = createServer((near) => {
    const far = open(Number(target.port), target.hostname);
    for (const [from, to] of [[near, far], [far, near]]) {
      from.setNoDelay(true);
      from.on("data", (bytes) => setTimeout(() => to.writable && to.write(bytes), roundTrip / 2));
      from.on("close", () => setTimeout(() => to.destroy(), roundTrip / 2));
      from.on("error", () => to.destroy());
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({
    url: `http://127.0.0.1:${server.address().port}`, close: () => server.close(),
  })));
}

/** The milliseconds from a tap until the tree has changed, and until the service has confirmed it. */
async function tapped(session, tap) {
  const began = performance.now();
  const before = session.tree;
  let shown;
  const leave = session.subscribe(() => { if (session.tree !== before) shown ??= performance.now() - began; });
  await tap();
  const confirmed = performance.now() - began;
  leave();
  return { shown: shown ?? confirmed, confirmed };
}

/** The times of taps that go to the second tab and back. Another subscriber keeps the stream open. */
async function taps(url, predict) {
  const measured = await Promise.all(Array.from({ length: sessions }, async () => {
    const session = await start({ baseURL: url, app: "delivery", predict });
    const leave = session.subscribe(() => {});
    const times = [];
    // The first tap opens the connection.
    await session.select(1);
    for (let round = 0; round < rounds; round += 1) times.push(await tapped(session, () => session.select(round % 2)));
    leave();
    await session.end();
    return times;
  }));
  return measured.flat();
}

/** The times of steps with params and of `back`, which the engine runs. */
async function tapsWithEngine(url) {
  const measured = await Promise.all(Array.from({ length: sessions }, async () => {
    const session = await opened(url);
    const times = [];
    for (let round = 0; round < rounds / 2; round += 1) {
      times.push(await tapped(session, () => session.step("restaurantIsPicked", { restaurantId: round })));
      times.push(await tapped(session, () => session.back()));
    }
    await session.end();
    return times;
  }));
  return measured.flat();
}

/** A session that is followed, and whose actions the engine runs. */
async function opened(url) {
  const session = await start({ baseURL: url, app: "delivery" });
  await new Promise((resolve) => {
    session.subscribe(() => { if (session.getSnapshot().predicts) resolve(); });
  });
  return session;
}

/** The milliseconds until five taps that do not wait for each other are confirmed. */
async function five(open) {
  const times = await Promise.all(Array.from({ length: sessions }, async () => {
    const session = await open();
    await session.select(1);
    const began = performance.now();
    await Promise.all([0, 1, 2, 0, 1].map((tab) => session.select(tab)));
    const time = performance.now() - began;
    await session.end();
    return time;
  }));
  return at(times, 0.5);
}

function at(times, share) {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

for (const delay of delays.map(Number)) {
  const { url, close } = await proxy(service, delay);
  const withEngine = await proxy(serviceWithEngine, delay);
  await taps(url, true);
  const [plain, predicted] = [await taps(url, false), await taps(url, true)];
  await tapsWithEngine(withEngine.url);
  const ofEngine = await tapsWithEngine(withEngine.url);
  const [shown, shownByEngine] = [predicted, ofEngine].map((times) => times.map((one) => one.shown));
  console.log(JSON.stringify({
    roundTrip: delay, taps: shown.length, waited: at(plain.map((one) => one.shown), 0.5), shown: at(shown, 0.5), shownLate: at(shown, 0.99),
    confirmed: at(predicted.map((one) => one.confirmed), 0.5), five: await five(() => start({ baseURL: url, app: "delivery", predict: true })),
    engine: at(shownByEngine, 0.5), engineLate: at(shownByEngine, 0.99), engineConfirmed: at(ofEngine.map((one) => one.confirmed), 0.5),
    engineFive: await five(() => opened(withEngine.url)),
  }));
  close();
  withEngine.close();
}
