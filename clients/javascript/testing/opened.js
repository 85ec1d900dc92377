import { connect } from "../src/starting.js";
import { ManualMachine, settled } from "./manual-machine.js";
import { answer, ScriptedService, session, stream } from "./scripted-service.js";

/** A session at revision 1 over a service whose responses are written down: `{ service, machine, session }`. */
export async function opened(options, ...answers) {
  const service = new ScriptedService(options.whole ?? answer(session()), ...answers);
  const machine = new ManualMachine(service.fetch);
  const { fetch, timers, random, now, newKey, network } = machine;
  const given = { baseURL: "http://cairn.example", id: "s1", secret: "cs_1", details: false, fetch, timers, random, now, newKey, network };
  const { whole, ...rest } = options;
  return { service, machine, session: await connect({ ...given, ...rest }) };
}

/** The same, with its events followed by a reader that keeps what it read: `{ live, events }` beside them. */
export async function read(options, ...answers) {
  const live = stream();
  const made = await opened(options, live.answer, ...answers);
  const events = [];
  const reader = made.session.events();
  (async () => { for await (const event of reader) events.push(`${event.type} ${event.revision}`); })();
  await settled();
  return { ...made, live, events };
}

/** The state of a promise without waiting for it. */
export function watched(promise) {
  const seen = { state: "waiting" };
  promise.then((value) => Object.assign(seen, { state: "done", value }), (reason) => Object.assign(seen, { state: "refused", reason }));
  return seen;
}
