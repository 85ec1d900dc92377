import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { settled } from "../testing/manual-machine.js";
import { predictable, startService, until } from "../testing/service.js";
import { predicting, put, screens, trip, watch } from "../testing/trip.js";

let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "trip", trip);
});
after(() => service.stop());

test("an action without effect is not run again after a later action, if the later action's event arrives before the response", async (context) => {
  const { session, network } = await predicting(service);
  context.after(() => session.close());
  network.hold();
  const taps = [session.act({ step: "show", params: { n: 9 } }), session.back(), session.back(), session.act({ step: "show", params: { n: 1 } })];
  taps.forEach((tap) => tap.catch(() => {}));
  assert.equal(screens(session), "home page1");
  const seen = watch(session);
  // The first tap is sent in a separate request. The response to the other taps is held until their events have arrived.
  await settled();
  network.releaseHeld();
  await taps[0];
  const answers = network.holdAnswers();
  network.release();
  await until(session, ({ revision }) => revision === 4);
  answers.release();
  await Promise.allSettled(taps);
  assert.deepEqual([...new Set(seen.map(([, shown]) => shown))], ["home page1"]);
});
