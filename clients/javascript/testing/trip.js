import { connect, start } from "../src/node.js";
import { HeldNetwork } from "./held-network.js";
import { ManualMachine } from "./manual-machine.js";
import { operatorKey, until } from "./service.js";

/** An app with steps that clients can predict (`show`), and others that they cannot, because of a secret (`enter`) or a hidden fact (`ask`). */
export const trip = `
app: trip
language: 1
compat: { emits: any }
root: { flow: main }
facts: { plan: { type: string, env: TRIP_PLAN } }
screens: { home: {}, page: { params: { n: integer } }, safe: { params: { pin: { type: string, secret: true } } }, offer: {} }
steps: { show: { n: integer }, enter: { pin: { type: string, secret: true } }, ask: {} }
flows:
  main:
    stack: home
    handle:
      show: { push: page, with: { n: $n } }
      enter: { push: safe, with: { pin: $pin } }
      ask:
        - { when: { fact: plan, is: gold }, do: { push: offer } }
        - { do: { push: page, with: { n: 0 } } }
`;

/** Stores a definition, and returns its hash. */
export async function put(service, app, text) {
  const response = await fetch(`${service.url}/v1/apps/${app}`, {
    method: "PUT", headers: { Authorization: `Bearer ${operatorKey}`, "Content-Type": "application/yaml" }, body: text,
  });
  const body = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(body));
  return body.definition;
}

/**
 * Starts a session of `trip` that predicts, with a network that the test controls: `{ network, session, seen }`. `seen` has the shown state at each
 * notification: `[revision, screens, waiting]`. `options` are those of `start`.
 */
export async function predicting(service, options = {}) {
  const network = new HeldNetwork();
  const session = await start({ baseURL: service.url, app: "trip", fetch: network.fetch, ...options });
  return { network, session, seen: await live(session) };
}

/** Subscribes to a session, and waits until it predicts. Returns the shown state at each later notification. */
export async function live(session) {
  const seen = watch(session);
  await until(session, ({ predicts, connection }) => predicts && connection === "live");
  seen.length = 0;
  return seen;
}

/** Connects another client, without an engine, to the same session. */
export function other(service, session) {
  return connect({ baseURL: service.url, id: session.id, secret: session.secret, predict: false });
}

/** Returns the shown state at each notification from now on: `[revision, screens, waiting]`. */
export function watch(session) {
  const seen = [];
  session.subscribe(() => {
    const { revision, waiting } = session.getSnapshot();
    seen.push([revision, screens(session), waiting]);
  });
  return seen;
}

/** Returns the names of the stack's screens, each page with its number. */
export function screens({ stack }) {
  return stack.map(({ screen, params }) => (params?.n === undefined ? screen : `${screen}${params.n}`)).join(" ");
}

/** Returns a manual clock, for a session with the real network. */
export function manualTimers() {
  const machine = new ManualMachine();
  const { timers, now } = machine;
  return { machine, timers, now };
}
