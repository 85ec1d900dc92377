import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { start } from "../src/node.js";
import { gesturesBetween, toNavigationState } from "../src/react-navigation.js";
import { startService } from "../testing/service.js";

let service;
before(async () => { service = await startService(); });
after(() => service.stop());

/** Applies a container's own action to the state of a navigator: `path` leads there from the outermost, by the indices of routes. */
function done(state, path, change) {
  const copy = structuredClone(state);
  change(path.reduce((navigator, place) => navigator.routes[place].state, copy));
  return copy;
}

const swipe = (navigator) => {
  navigator.routes.pop();
  navigator.index = navigator.routes.length - 1;
};
const tap = (tab) => (navigator) => { navigator.index = tab; };

test("what a finger does in a container is posted, and the service comes to the same state", async () => {
  const session = await start({ baseURL: service.url, app: "delivery", accessToken: "t" });
  await session.open("eat://r/3/d/31");
  for (const [path, change] of [[[0, 0], swipe], [[0], tap(1)], [[0], tap(0)], [[0, 0], swipe]]) {
    const shown = done(toNavigationState(session), path, change);
    await session.act(gesturesBetween(session, shown));
    assert.deepEqual(toNavigationState(session), shown);
  }
  await session.open("eat://orders/7");
  await session.step("chatIsRequired");
  const before = toNavigationState(session);
  assert.deepEqual(before.routes.map(({ name }) => name), ["app", "chat"]);
  const shown = done(before, [], swipe);
  await session.act(gesturesBetween(session, shown));
  assert.deepEqual(toNavigationState(session), shown);
});

test("a gesture that is refused, or asked about, leaves the container to be set to what is", async () => {
  const session = await start({ baseURL: service.url, app: "delivery", accessToken: "t" });
  await session.step("checkoutIsRequired");
  const shown = done(toNavigationState(session), [], swipe);
  const [answer] = (await session.act(gesturesBetween(session, shown))).answers;
  assert.equal(answer.reason, "guarded");
  assert.deepEqual(toNavigationState(session).routes.map(({ name }) => name), ["app", "checkout", "discard"]);
});
