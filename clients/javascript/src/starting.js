import { Session } from "./session.js";
import { readWhole, Transport } from "./transport.js";
import { chance, machineOf } from "./machine.js";

/** The options of the client, as opposed to those of the started session. */
const own = ["baseURL", "credential", "timeout", "attempts", "outbox", "storage", "onRefused", "details", "follow", "predict", "onNotice", "onRejected", "signal", "key"];
const ofMachine = ["fetch", "timers", "random", "now", "newKey", "network"];

/** Opens an existing session, with its secret or with an operator key. */
export async function connect({ id, secret, ...options }) {
  const transport = new Transport({ ...options, secret }, machineOf(options));
  const path = `/v1/sessions/${encodeURIComponent(id)}`;
  const whole = await transport.call({ path, headers: preference(options) }, { signal: options.signal, read: readWhole });
  return ready(whole, transport, options);
}

/** Starts a session of an app. Takes the members of `POST /v1/sessions` beside the client's options; `credential` is an operator's. */
export async function start(options) {
  const machine = machineOf(options);
  const body = Object.fromEntries(Object.entries(options).filter(([name]) => !own.includes(name) && !ofMachine.includes(name)));
  const headers = { ...keyOf(options), ...preference(options) };
  const creation = new Transport({ ...options, secret: options.credential }, machine);
  const whole = await creation.call({ method: "POST", path: "/v1/sessions", body, headers }, { signal: options.signal, read: readWhole });
  return ready(whole, new Transport({ ...options, secret: whole.body.secret }, machine), options);
}

/**
 * The creation's key. It must not be guessable, because a repeat of the creation gets the session's secret. Without a source of such keys the
 * session is created without one. If that response is lost, the next attempt creates another session, and the first one stays in the service
 * until it expires.
 */
function keyOf({ key, newKey = chance.newUUID }) {
  const chosen = key ?? newKey();
  return chosen === undefined ? {} : { "Idempotency-Key": `"${chosen}"` };
}

function preference({ predict }) {
  return predict ? { Prefer: "predict" } : {};
}

async function ready(whole, transport, options) {
  const session = new Session(whole, transport, options);
  await session.restore();
  return session;
}
