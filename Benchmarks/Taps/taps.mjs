// Measures taps of the JavaScript client in Node over a proxy that delays. Prints one JSON line per delay and kind of client.
// usage: node taps.mjs URL URL_WITH_ENGINE SESSIONS DELAY_MS…
import { performance } from "node:perf_hooks";
import { start } from "../../clients/javascript/src/node.js";
import { measure } from "./measure.mjs";
import { proxy } from "./proxy.mjs";

const [service, serviceWithEngine, sessions, ...delays] = process.argv.slice(2);

/** The milliseconds from a tap until the tree has changed, and until the service has confirmed the tap. */
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

for (const delay of delays.map(Number)) {
  const [near, far] = await Promise.all([service, serviceWithEngine].map((url) => proxy(url, delay)));
  const given = { service: near.url, serviceWithEngine: far.url, sessions: Number(sessions), rounds: 10, isParallel: true };
  for (const row of await measure({ start, tapped }, given)) console.log(JSON.stringify({ client: "Node", roundTrip: delay, ...row }));
  near.close();
  far.close();
}
