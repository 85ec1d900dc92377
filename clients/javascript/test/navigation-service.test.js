import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { followNavigation, gesturesBetween, navigationActionBetween, toNavigationState } from "../src/react-navigation.js";
import { settled } from "../testing/manual-machine.js";
import { ModelContainer } from "../testing/model-container.js";
import { lot } from "../testing/navigators.js";
import { startService, until } from "../testing/service.js";

let service;
before(async () => { service = await startService(); });
after(() => service.stop());

/** Returns a copy of a state with a change to one navigator. `path` has the indices of the routes from the outermost navigator to that one. */
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

test("the gestures between the session and a container's state are posted, and the session then has that state", async () => {
  const session = await start({ baseURL: service.url, app: "delivery", accessToken: "t" });
  await session.open("eat://r/3/d/31");
  for (const [path, change] of [[[0, 0], swipe], [[0], tap(1)], [[0], tap(0)], [[0, 0], swipe]]) {
    const shown = done(toNavigationState(session), path, change);
    await session.act(gesturesBetween(session, shown));
    assert.deepEqual(toNavigationState(session), shown);
  }
  await session.open("eat://orders/7");
  await session.step("chatRequested");
  const before = toNavigationState(session);
  assert.deepEqual(before.routes.map(({ name }) => name), ["app", "chat"]);
  const shown = done(before, [], swipe);
  await session.act(gesturesBetween(session, shown));
  assert.deepEqual(toNavigationState(session), shown);
});

test("after a guarded gesture, the session still has the swiped screen, with the guard's question over it", async () => {
  const session = await start({ baseURL: service.url, app: "delivery", accessToken: "t" });
  await session.step("checkoutRequested");
  const shown = done(toNavigationState(session), [], swipe);
  const [answer] = (await session.act(gesturesBetween(session, shown))).answers;
  assert.equal(answer.reason, "guarded");
  assert.deepEqual(toNavigationState(session).routes.map(({ name }) => name), ["app", "checkout", "discard"]);
});

const screens = ["restaurantList", "restaurant", "dish", "orderList", "order", "tracking", "chat", "profileHome", "addresses", "editAddress", "phone", "code"];
const modals = ["address", "timeSlot", "payment", "confirm", "discard", "promo", "checkout", "login", "addressPicker", "paymentFailure", "expiryNotice"];
const flows = ["home", "orders", "profile", "login", "checkout", "addressPicker"];
const stack = { type: "stack", routeNames: ["app", ...screens, ...modals] };
const navigators = {
  root: stack, ...Object.fromEntries(flows.map((name) => [name, stack])), app: { type: "tab", routeNames: ["home", "orders", "profile"] },
};

function keysIn({ routes }) {
  return routes.flatMap(({ key, state }) => [key, ...(state ? keysIn(state) : [])]);
}

/** Performs one random event: a gesture in the container, a step in the session, or an action of another client. */
async function happen(chance, { session, other, container }) {
  const one = (items) => items[chance(items.length)];
  const { routes } = container.getRootState();
  const stacks = ["root", ...[...routes[0].state.routes, ...routes.slice(1)].filter(({ state }) => state).map(({ key }) => key)];
  const steps = ["checkoutRequested", "trackingRequested", "chatRequested", "addressesRequested", "addressConfirmed", "discardConfirmed"];
  const tap = one([
    () => container.swipe(one(stacks)),
    () => container.tap(one(["home", "orders", "profile"]), container.getRootState().routes[0].key),
    () => session.step(one(steps)),
    () => session.step("restaurantPicked", { restaurantId: chance(9) }),
    () => session.step("orderPicked", { orderId: chance(9) }),
    () => other.open(one(["eat://r/3/d/31", "eat://orders/7", "eat://promo/x", "eat://reset"])),
    () => other.back(),
    () => other.select(chance(3)),
  ]);
  await Promise.resolve(tap()).catch((problem) => assert.equal(problem.name, "CairnProblem", problem.stack));
}

for (const predict of [false, true]) {
  test(`a container and a session show the same tree after each random event on either side, ${predict ? "with" : "without"} predictions`, async () => {
    const counts = { posted: 0, dispatched: 0 };
    for (let seed = 1; seed <= 4; seed += 1) {
      const chance = lot(seed);
      const session = await start({ baseURL: service.url, app: "delivery", accessToken: "t", predict });
      const other = await connect({ baseURL: service.url, id: session.id, secret: session.secret, details: false });
      const container = new ModelContainer(navigators, toNavigationState(session));
      await settled();
      const problems = [];
      const stop = followNavigation(session, container, { onProblem: ({ code }) => problems.push(code) });
      for (let turn = 0; turn < 40; turn += 1) {
        const [before, mounts] = [keysIn(container.whole), new Map(container.mounts)];
        await happen(chance, { session, other, container });
        await settled();
        await until(session, ({ waiting }) => waiting === 0);
        await session.refresh();
        await settled();
        assert.equal(navigationActionBetween(container.whole, session), undefined, `${seed} ${turn}`);
        const stayed = keysIn(container.whole).filter((key) => before.includes(key) && mounts.has(key) && !container.swiped.has(key));
        for (const key of stayed) assert.equal(container.mounts.get(key), mounts.get(key), `${seed} ${turn}: ${key} is mounted again`);
      }
      stop();
      counts.dispatched += container.dispatched.length;
      counts.posted += (await session.history({ limit: 1000 })).entries.filter(({ action }) => action?.type === "pop" || action?.node !== undefined).length;
      assert.equal(container.dispatched.includes("root"), false);
      assert.equal(problems.includes("not-shown"), false, String(problems));
      await session.end();
    }
    assert.ok(counts.posted > 10 && counts.dispatched > 40, JSON.stringify(counts));
  });
}
