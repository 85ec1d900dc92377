import { connect } from "../src/starting.js";
import { ManualMachine, settled } from "./manual-machine.js";
import { answer, ScriptedService, session, stream } from "./scripted-service.js";

/** Opens a session at revision 1, whose service returns the given responses: `{ service, machine, session }`. */
export async function opened(options, ...answers) {
  const service = new ScriptedService(options.whole ?? answer(session()), ...answers);
  const machine = new ManualMachine(service.fetch);
  const { fetch, timers, random, now, newKey, network } = machine;
  const given = { baseURL: "http://cairn.example", id: "s1", secret: "cs_1", details: false, fetch, timers, random, now, newKey, network };
  const { whole, ...rest } = options;
  return { service, machine, session: await connect({ ...given, ...rest }) };
}

/** Opens a session as `opened` does, and reads its events. `live` is the event stream, and `events` lists the type and revision of each event. */
export async function read(options, ...answers) {
  const live = stream();
  const made = await opened(options, live.answer, ...answers);
  const events = [];
  const reader = made.session.events();
  (async () => { for await (const event of reader) events.push(`${event.type} ${event.revision}`); })();
  await settled();
  return { ...made, live, events };
}

/** Returns the state of a promise (`waiting`, `done` or `refused`) with its value or reason. The state is updated when the promise settles. */
export function watched(promise) {
  const seen = { state: "waiting" };
  seen.end = promise.then((value) => Object.assign(seen, { state: "done", value }), (reason) => Object.assign(seen, { state: "refused", reason }));
  return seen;
}
