import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { ManualMachine, settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { operatorKey, predictable, startService, until } from "../testing/service.js";
import { predicting, put, screens } from "../testing/trip.js";

/** Returns the definition of an app in which the office can withdraw a job after the technician's pending actions. `members` are further lines of the file. */
const field = (members) => `
app: field
language: 1
root: main
${members}
screens: { jobs: { emits: [opened] }, job: { emits: [sent] }, done: }
steps: { withdrawn: { by: operator } }
flows:
  main:
    stack: jobs
    handle:
      opened: { push: job }
      sent: { push: done }
      withdrawn: popToRoot
`;

let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "field", field("offlineFor: 2d"));
  await put(service, "plain", field("").replace("app: field", "app: plain"));
});
after(() => service.stop());

/** Posts the step `withdrawn` as the office. The service runs the step after the technician's pending actions. Returns the outcome of the post. */
async function withdraw({ id }) {
  const response = await fetch(`${service.url}/v1/sessions/${id}/actions`, {
    method: "POST", headers: { Authorization: `Bearer ${operatorKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ step: "withdrawn", deliver: "settled" }),
  });
  return (await response.json()).outcome;
}

/** Starts a session that predicts, with a network that the test switches off (`goAway`) and on (`comeBack`). */
async function technician(app) {
  const machine = new ManualMachine();
  const { timers, now, network } = machine;
  const made = await predicting(service, { app, timers, now, network });
  const goAway = () => { [machine.network.isOnline, made.network.isAway] = [false, true]; };
  const comeBack = () => { made.network.isAway = false; return machine.goOnline(); };
  return { ...made, goAway, comeBack };
}

const kinds = ({ entries }) => entries.map(({ action }) => action.step ?? action.type);

test("the office withdraws a job of a client without a network: the work is performed, and then the job is removed", async () => {
  const { session, goAway, comeBack } = await technician("field");
  // When the client began to predict, it posted its first contact, which made revision 2.
  await until(session, ({ revision }) => revision === 2);
  await session.step("opened");
  goAway();
  const sent = watched(session.step("sent"));
  await settled();
  assert.equal(await withdraw(session), "pending");
  assert.equal(screens(session), "jobs job done");
  await comeBack();
  await until(session, (snapshot) => snapshot.waiting === 0 && screens(snapshot) === "jobs");
  await sent.end;
  assert.equal(sent.value.outcome, "performed");
  assert.deepEqual(kinds(await session.history({ after: 1 })), ["contact", "opened", "withdrawn", "sent", "contact"]);
  session.close();
});

test("a client of an app that does not declare offlineFor reports only for the held action", async () => {
  const { session } = await technician("plain");
  await session.step("opened");
  assert.equal(await withdraw(session), "pending");
  await until(session, (snapshot) => screens(snapshot) === "jobs");
  assert.deepEqual(kinds(await session.history({ after: 1 })), ["opened", "withdrawn", "contact"]);
  session.close();
});
