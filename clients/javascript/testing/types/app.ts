import { start, connect, discardGroup, resume, sessions, CairnProblem, type AppOf, type Group, type Session } from "cairn-client";
import { runOffline, ScenarioDifference } from "cairn-client/testing";
import { syncHistory } from "cairn-client/browser-history";
import { followNavigation, gesturesBetween, navigationActionBetween, toNavigationState, type NavigationContainerLike } from "cairn-client/react-navigation";
import type { Facts, Screen, Step } from "delivery-types";

type App = AppOf<Step, Screen, Facts>;

declare const ref: NavigationContainerLike;

export async function use(): Promise<void> {
  const session: Session<App> = await start<App>({ baseURL: "http://127.0.0.1:8080", app: "delivery", storage: localStorage });
  await session.step("restaurantPicked", { restaurantId: 1 }, { ifMatch: true });
  await session.step("checkoutRequested");
  await session.step("checkoutRequested", {}, { from: "n3" });
  // @ts-expect-error a param is missing
  await session.step("restaurantPicked");
  // @ts-expect-error the param has another type
  await session.step("restaurantPicked", { restaurantId: "1" });
  // @ts-expect-error the step has no such param
  await session.step("checkoutRequested", { at: 1 });
  // @ts-expect-error the value is not one of the allowed ones
  await session.step("slotPicked", { slot: "never" });
  // @ts-expect-error no such step
  await session.step("nothing");
  // @ts-expect-error only the service sends this step
  await session.step("userLoggedIn");
  await session.act([{ type: "select", tab: 1 }, { step: "slotPicked", params: { slot: "noon" } }, { step: "checkoutRequested" }]);
  const picked: Step = { step: "orderPicked", params: { orderId: 7 } };
  await session.act(picked);
  await session.step("checkoutRequested", {}, { from: null });
  if (session.tree.kind === "screen") await session.step("checkoutRequested", {}, { from: session.tree });
  // @ts-expect-error a node must have a name
  await session.step("checkoutRequested", {}, { from: { id: "n3" } });
  const tapped = await session.step("restaurantPicked", { restaurantId: 1 });
  if (tapped.outcome === "stale") console.log(tapped.reason, tapped.problem.code);
  await session.popTo("restaurant");
  await session.popTo({ node: "n4" });
  await session.act({ type: "popTo", screen: "restaurant" });
  // @ts-expect-error either a screen or a node, not both
  await session.act({ type: "popTo", screen: "restaurant", node: "n4" });
  // @ts-expect-error either a screen or a node, not both
  await session.popTo({ screen: "restaurant", node: "n4" });
  // @ts-expect-error a screen or a node is missing
  await session.act({ type: "popTo" });
  // @ts-expect-error no such gesture
  await session.act({ type: "jump" });
  await session.back({ queue: true });
  const key: string = session.keyOf("n4");
  const forget: () => void = session.onRejected(({ action, code, problem }) => console.log(key, action, code, problem.detail));
  forget();
  const groups: readonly Group<App>[] = session.groups();
  for (const { id, code, actions } of groups) if (code === "over" || actions.some(({ mayHaveRun }) => mayHaveRun)) await session.discard(id);
  for (const group of groups) {
    for (const answer of await session.retry(group.id)) console.log(answer.outcome);
    // @ts-expect-error a group has an id
    await session.retry(group);
  }
  for (const { isOver, label, groups: left } of await sessions({ baseURL: "/" })) {
    if (isOver) for (const { id } of left) await discardGroup({ baseURL: "/", id });
    console.log(label);
  }
  // @ts-expect-error the option must be true or false
  await session.back({ queue: "later" });
  const predicts: boolean = session.getSnapshot().predicts;
  console.log(predicts);
  await start<App>({ baseURL: "/", app: "delivery", predict: false, onNotice: (text) => console.log(text), onRejected: ({ code }) => console.log(code) });
  const kept = await start<App>({ baseURL: "/", app: "delivery", keep: true, remember: true, indexedDB: null, locks: null, channels: null });
  const isLocal: boolean = kept.isLocal;
  const again: Session<App> | undefined = await resume<App>({ baseURL: "/" });
  console.log(isLocal, again?.visible?.screen);
  // @ts-expect-error the option must be true or false
  await start<App>({ baseURL: "/", app: "delivery", keep: "always" });
  const loggedIn: boolean | undefined = session.facts.accessToken;
  console.log(loggedIn);
  const route = session.visible;
  if (route?.screen === "restaurant") {
    const id: number | undefined = route.params?.restaurantId;
    console.log(id);
  }
  // @ts-expect-error no such screen
  console.log(route?.screen === "supermarket");
  for await (const event of session.events({ limit: 10 })) if (event.type === "change") console.log(event.revision, event.outcome);
  const leave: () => void = session.subscribe(() => console.log(session.getSnapshot().connection));
  leave();
  const untie: () => void = syncHistory(session, { links: { restaurant: "r/{restaurantId}" }, onAddress: ({ hash }) => session.open(`eat://${hash}`), onProblem: ({ code }) => console.log(code) });
  untie();
  // @ts-expect-error no such option
  syncHistory(session, { forward: true });
  const state = toNavigationState(session);
  const gestures = gesturesBetween(session, state);
  if (gestures) await session.act(gestures);
  const action = navigationActionBetween(state, session);
  if (action?.type === "POP") console.log(action.payload.count, action.source);
  const stop: () => void = followNavigation(session, ref, { onProblem: (problem) => console.log(problem.code) });
  stop();
  try {
    const untyped = await connect({ baseURL: new URL("http://127.0.0.1:8080"), id: "s", secret: "cs" });
    // A kept session that began offline has no secret yet, and the service may create it with an operator's key.
    await connect({ baseURL: "http://127.0.0.1:8080", id: untyped.id, secret: untyped.secret, keep: true, credential: "key" });
    await connect({ baseURL: "http://127.0.0.1:8080", id: untyped.id, keep: true });
    await untyped.step("anything", { goes: 1 });
    await untyped.step("anything");
    await untyped.end({ ifMatch: true });
  } catch (error) {
    if (error instanceof CairnProblem) console.log(error.code, error.accepts?.steps[0]?.step);
  }
}

const run: Promise<{ readonly tree: string; readonly refused: readonly string[] }> = runOffline({
  baseURL: "http://127.0.0.1:8080", app: "delivery", key: "k", given: { facts: {} },
  steps: [{ when: ["back", { advance: "3d" }], then: { visible: "home" } }, { offline: { step: "restaurantPicked", params: { restaurantId: 4 } }, online: { refused: [] } }],
});
void run.catch((problem) => problem instanceof ScenarioDifference && problem.differences.length);
