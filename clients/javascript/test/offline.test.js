import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { Device } from "../testing/device.js";
import { HeldNetwork } from "../testing/held-network.js";
import { ManualMachine, settled } from "../testing/manual-machine.js";
import { watched } from "../testing/opened.js";
import { unreachable } from "../testing/scripted-service.js";
import { operatorKey, predictable, startService, until } from "../testing/service.js";
import { live, predicting, put, screens, trip } from "../testing/trip.js";

let service;
before(async () => {
  service = await startService({ ...predictable, TRIP_PLAN: "gold" });
  await put(service, "trip", trip);
});
after(() => service.stop());

/** Starts a session that predicts, with a manual clock, and a network that the test switches off (`goAway`) and on (`comeBack`). */
async function offline(app = "trip") {
  const machine = new ManualMachine();
  const { timers, now, network } = machine;
  const made = await predicting(service, { app, timers, now, network });
  const goAway = () => { [machine.network.isOnline, made.network.isAway] = [false, true]; };
  const comeBack = () => { made.network.isAway = false; return machine.goOnline(); };
  return { ...made, machine, goAway, comeBack };
}

const show = (session, n) => session.act({ step: "show", params: { n } });

test("without a network, predicted actions are shown and wait, queued ones wait, and all others are rejected immediately", async () => {
  const { session, network, machine, goAway, comeBack } = await offline();
  goAway();
  const taps = [show(session, 1), show(session, 2)];
  assert.equal(screens(session), "home page1 page2");
  // The user sees the new screen after a frame.
  await machine.advance(16);
  await assert.rejects(session.step("ask"), { code: "offline" });
  await assert.rejects(session.token("a-token", { queue: true }), { code: "offline" });
  await assert.rejects(session.act({ type: "push", screen: "safe", params: { pin: "1" } }, { queue: true }), { code: "offline" }, "a secret never waits in a primitive");
  await assert.rejects(session.act([{ type: "back" }, { step: "enter", params: { pin: "1" } }], { queue: true }), { code: "offline" }, "nor in an array");
  taps.push(session.back());
  assert.equal(screens(session), "home page1");
  const queued = session.act({ step: "ask" }, { queue: true });
  taps.push(show(session, 3));
  assert.equal(screens(session), "home page1", "a step is not shown before the response to an earlier action that cannot be predicted");
  taps.push(session.back());
  assert.equal(screens(session), "home", "a gesture is shown immediately");
  assert.equal(session.getSnapshot().waiting, 6);
  assert.equal(network.posts.length, 1);
  // The refusal may arrive before the other responses.
  const refused = assert.rejects(taps[4], { code: "hidden" }, "two steps before the gesture covered its screen with screens that the user had not seen");
  await comeBack();
  const answers = await Promise.all([...taps.slice(0, 3), queued, taps[3]]);
  assert.deepEqual(answers.map(({ revision }) => revision), [2, 3, 4, 5, 6]);
  await refused;
  assert.equal(screens(session), "home page1 offer page3");
  session.close();
});

test("without a network, a step with a secret is sealed, shown and posted later, in its order", async () => {
  const { session, network, goAway, comeBack } = await offline();
  goAway();
  const taps = [show(session, 1), session.step("enter", { pin: "4711" }), show(session, 2)];
  await until(session, ({ waiting }) => waiting === 3);
  assert.equal(screens(session), "home page1 safe page2");
  assert.deepEqual(session.stack[2].params, { pin: true });
  await comeBack();
  const answers = await Promise.all(taps);
  assert.deepEqual(answers.map(({ outcome, revision }) => [outcome, revision]), [["performed", 2], ["performed", 3], ["performed", 4]]);
  assert.equal(screens(session), "home page1 safe page2");
  assert.equal(JSON.stringify(network.posts).includes("4711"), false);
  const { entries } = await session.history({ after: 2 });
  assert.deepEqual(entries[0].action.params, { pin: true });
  session.close();
});

test("a page that begins without a network seals a secret with the key that an earlier page stored", async () => {
  const device = new Device(service.url);
  const first = device.page();
  const { id, secret } = await first.start({ app: "trip" });
  await device.ready(id);
  device.isOnline = false;
  first.kill();
  const session = await device.page().connect({ id, secret });
  await until(session, ({ predicts }) => predicts);
  const entered = session.step("enter", { pin: "canary-4711" });
  await device.disk.until(() => device.stored(id)?.pending.length === 1);
  assert.equal(screens(session), "home safe");
  assert.equal(JSON.stringify(device.disk.writes.map((changes) => [...changes])).includes("canary-4711"), false);
  await device.goOnline();
  assert.equal((await entered).outcome, "performed");
  session.close();
});

test("with a network, a step after an action that cannot be predicted is shown after 2 s without a response", async () => {
  const { session, network, machine } = await offline();
  network.hold();
  const taps = [session.act({ step: "ask" }), show(session, 1)];
  await machine.advance(1_999);
  assert.equal(screens(session), "home");
  await machine.advance(1);
  assert.equal(screens(session), "home page1");
  network.release();
  await Promise.all(taps);
  assert.equal(screens(session), "home offer page1");
  session.close();
});

test("the 2 s begin again for each action that cannot be predicted", async () => {
  const { session, network, machine } = await offline();
  network.hold();
  const first = [session.act({ step: "ask" }), show(session, 1)];
  await machine.advance(1_900);
  network.release();
  await Promise.all(first);
  await until(session, ({ waiting }) => waiting === 0);
  network.hold();
  const second = [session.act({ step: "ask" }), show(session, 2)];
  await machine.advance(1_999);
  assert.equal(screens(session), "home offer page1");
  await machine.advance(1);
  assert.equal(screens(session), "home offer page1 page2");
  network.release();
  await Promise.all(second);
  session.close();
});

test("the network counts as missing if a stream cannot be opened, but not if an open stream is cut", async () => {
  const machine = new ManualMachine();
  const network = new HeldNetwork();
  let cut;
  let isSilent = false;
  const fetched = (url, init) => {
    if (!url.endsWith("/events")) return network.fetch(url, init);
    if (isSilent) return new Promise((_, reject) => init.signal.addEventListener("abort", () => reject(init.signal.reason)));
    const stop = new AbortController();
    cut = () => stop.abort(unreachable());
    return network.fetch(url, { ...init, signal: AbortSignal.any([init.signal, stop.signal]) });
  };
  const { timers, now, random, network: online } = machine;
  const session = await start({ baseURL: service.url, app: "trip", fetch: fetched, timers, now, random, network: online });
  await live(session);
  cut();
  await until(session, ({ connection }) => connection === "offline");
  await session.step("ask");
  assert.equal(screens(session), "home offer");
  await until(session, ({ connection }) => connection === "live");
  network.isAway = true;
  cut();
  await until(session, ({ connection }) => connection === "offline");
  await machine.advance(5_000);
  const posts = network.posts.length;
  await assert.rejects(session.step("ask"), { code: "offline" });
  const taps = [session.back(), session.act({ step: "ask" }, { queue: true })];
  assert.deepEqual([screens(session), network.posts.length], ["home", posts]);
  network.isAway = false;
  await machine.advance(15_000);
  await Promise.all(taps);
  assert.equal(screens(session), "home offer");
  await until(session, ({ connection }) => connection === "live");
  isSilent = true;
  cut();
  await until(session, ({ connection }) => connection === "offline");
  await machine.advance(10_000);
  assert.equal(session.getSnapshot().connection, "connecting");
  // The client opens the stream again because the network is back.
  await machine.goOnline();
  await session.step("ask");
  session.close();
});

/** Holds the next post of a network. Returns a function that lets this post and all later requests fail. */
function losing(network) {
  let fail;
  network.refuseNext(() => new Promise((_, reject) => { fail = () => reject(unreachable()); }));
  return () => {
    network.isAway = true;
    fail();
  };
}

test("an action that is neither shown nor sent when the network is lost is rejected with `offline`", async () => {
  const { session, network, machine, goAway, comeBack } = await offline();
  const lose = losing(network);
  const sent = watched(show(session, 1));
  const ask = watched(session.act({ step: "ask" }));
  const queued = watched(session.act({ step: "ask" }, { queue: true }));
  const secret = watched(session.act({ step: "enter", params: { pin: "1" } }, { queue: true }));
  const others = [session.setFacts({}), session.act([{ type: "back" }])].map(watched);
  const gesture = watched(session.appState("background"));
  await settled();
  lose();
  await settled();
  assert.deepEqual([ask, secret, ...others].map(({ reason }) => reason?.code), ["offline", "offline", "offline", "offline"]);
  assert.deepEqual([sent, queued, gesture].map(({ state }) => state), ["waiting", "waiting", "waiting"]);
  goAway();
  await comeBack();
  await machine.advance(5_000);
  await until(session, ({ waiting }) => waiting === 0);
  await settled();
  assert.deepEqual([sent, queued, gesture].map(({ state }) => state), ["done", "done", "done"]);
  assert.equal(screens(session), "home page1 offer");
  session.close();
});

test("an action that was sent but is not shown is rejected after the last attempt, even in a session with `keep`", async () => {
  const device = new Device(service.url);
  const session = await device.page().start({ app: "trip" });
  await device.ready(session.id);
  let posts = 0;
  device.fetch = async (url, init) => {
    if (init?.method !== "POST") return fetch(url, init);
    posts += 1;
    throw unreachable();
  };
  const sent = watched(session.step("ask"));
  const others = [show(session, 1), session.act({ step: "ask" }, { queue: true })].map(watched);
  for (let turn = 0; turn < 20 && sent.state === "waiting"; turn += 1) await device.machine.advance(5_000);
  assert.equal(sent.reason?.code, "unreachable");
  assert.ok(posts >= 14);
  await device.machine.advance(600_000);
  assert.deepEqual(others.map(({ state }) => state), ["waiting", "waiting"]);
  assert.equal(screens(session), "home page1");
  device.fetch = fetch;
  await device.goOnline();
  await until(session, ({ waiting }) => waiting === 0);
  assert.equal(screens(session), "home page1 offer");
  session.close();
});

test("without a network and an engine, a step that is not sent yet is rejected with `offline`, and gestures and queued actions wait", async () => {
  const machine = new ManualMachine();
  const network = new HeldNetwork();
  let failEngine;
  // Sessions with the same URL share the compiled engine, so this test has a different URL.
  const prefix = "/lost";
  const fetched = (url, init) => {
    if (!url.includes("/engine/")) return network.fetch(url.replace(prefix, ""), init);
    return new Promise((_, reject) => { failEngine = () => reject(unreachable()); });
  };
  const { timers, now } = machine;
  const session = await start({ baseURL: service.url + prefix, app: "trip", fetch: fetched, timers, now });
  const lose = losing(network);
  const posts = [show(session, 1), show(session, 2), session.back(), session.act({ step: "ask" }, { queue: true })].map(watched);
  await settled();
  lose();
  await settled();
  assert.deepEqual(posts.map(({ state }) => state), ["waiting", "waiting", "waiting", "waiting"], "the engine may still be loaded");
  failEngine();
  await settled();
  assert.deepEqual(posts.map(({ state, reason }) => reason?.code ?? state), ["waiting", "offline", "waiting", "waiting"]);
  await assert.rejects(show(session, 3), { code: "offline" });
  session.close();
});

test("at most 2,000 predicted actions wait, and all of them are drained", async () => {
  const { session, goAway, comeBack } = await offline();
  goAway();
  const taps = Array.from({ length: 1_000 }, (_, n) => [show(session, n), session.back()]).flat();
  await assert.rejects(show(session, 2_000), { code: "outbox-full" });
  assert.equal(session.getSnapshot().waiting, 2_000);
  assert.equal(screens(session), "home");
  await comeBack();
  assert.equal((await Promise.all(taps)).at(-1).revision, 2_001);
  assert.equal(screens(session), "home");
  session.close();
});

/**
 * Stores two versions of an app. The second one renames two steps, and has the changes of `change`. Opens a session of the first version; `move()` migrates
 * it to the second one.
 */
async function moving(app, make = offline, change = (text) => text) {
  const first = trip.replace("app: trip", `app: ${app}`);
  const old = await put(service, app, first);
  const made = await make(app);
  const now = await put(service, app, change(first.replaceAll("show:", "display:").replaceAll(/ask:/g, "query:")));
  const operator = (method, path, body, type = "application/json") => fetch(service.url + path, {
    method, headers: { Authorization: `Bearer ${operatorKey}`, "Content-Type": type }, body,
  }).then(async (response) => (response.ok ? undefined : assert.fail(await response.text())));
  await operator("PUT", `/v1/apps/${app}/migrations/${old}/${now}`, "steps:\n  show: { to: display }\n  ask: { to: query }\n", "application/yaml");
  return { ...made, old, now, move: () => operator("POST", `/v1/sessions/${made.session.id}/migrate`, JSON.stringify({ to: now })) };
}

test("after a migration, pending actions are posted with the old definition, and later actions are predicted with the new one", async () => {
  const { session, network, old, now, move } = await moving("moving");
  network.hold();
  const taps = [show(session, 1), show(session, 2)];
  assert.equal(screens(session), "home page1 page2");
  await move();
  await until(session, ({ predicts }) => !predicts);
  assert.equal(screens(session), "home", "the client shows no predictions");
  // The user acts on the screen of the new definition.
  const late = session.act({ step: "display", params: { n: 0 } });
  network.release();
  await Promise.all([...taps, late]);
  assert.equal(screens(session), "home page1 page2 page0");
  assert.deepEqual([...new Set(network.posts.slice(1).map(({ body }) => body.definition))], [old, now]);
  await until(session, ({ predicts }) => predicts);
  network.hold();
  const tap = watched(session.act({ step: "display", params: { n: 3 } }));
  assert.equal(screens(session), "home page1 page2 page0 page3");
  network.release();
  await until(session, ({ waiting }) => waiting === 0);
  await tap.end;
  assert.equal(tap.state, "done");
  session.close();
});

test("after a migration, a step that is neither shown nor sent when the network is lost is rejected with `offline`", async () => {
  const { session, network, move } = await moving("lost");
  const lose = losing(network);
  const shown = [show(session, 1), show(session, 2)].map(watched);
  await move();
  await until(session, ({ predicts }) => !predicts);
  const late = watched(session.act({ step: "display", params: { n: 3 } }));
  const others = [session.back(), session.act({ step: "display", params: { n: 4 } }, { queue: true })].map(watched);
  lose();
  await settled();
  assert.equal(late.reason?.code, "offline");
  assert.deepEqual([...shown, ...others].map(({ state }) => state), ["waiting", "waiting", "waiting", "waiting"]);
  await assert.rejects(session.act({ step: "display", params: { n: 5 } }), { code: "offline" });
  session.close();
});

test("an action with a key and an array that wait during a migration name the old definition, and the service translates them", async () => {
  const { session, network, old, move } = await moving("keyed");
  network.hold();
  const posts = [session.act({ step: "show", params: { n: 1 } }, { key: "own" }), session.act([{ step: "show", params: { n: 2 } }, { step: "ask" }])];
  await move();
  await until(session, ({ predicts }) => !predicts);
  network.release();
  await Promise.all(posts);
  assert.equal(screens(session), "home page1 page2 offer");
  assert.deepEqual(network.posts.slice(1).flatMap(({ body }) => body).map(({ definition }) => definition), [old, old, old]);
  session.close();
});

test("after a migration, a param that became secret is neither stored nor reported to other pages, even without the new definition", async () => {
  const device = new Device(service.url);
  const withSecret = (text) => text.replace("steps: {", "steps: { show: { n: { type: string, secret: true } },").replace("    handle:", "$&\n      show: { push: safe, with: { pin: $n } }");
  const { session, now, move } = await moving("hidden", async (app) => ({ session: await device.page().start({ app }) }), withSecret);
  await device.ready(session.id);
  const rejected = [];
  const other = await device.page().connect({ id: session.id, secret: session.secret, onRejected: ({ action }) => rejected.push(action) });
  await live(session);
  device.fetch = (url, init) => (url.endsWith("/definition") ? Promise.reject(unreachable()) : fetch(url, init));
  await move();
  await until(session, ({ definition, predicts }) => definition === now && !predicts);
  device.isOnline = false;
  const step = session.act({ step: "show", params: { n: "canary" } }, { queue: true });
  await settled();
  assert.equal(session.getSnapshot().waiting, 1);
  await device.goOnline();
  assert.equal((await step).outcome, "performed");
  await assert.rejects(session.act({ step: "show", params: { n: 5 } }));
  await settled();
  assert.deepEqual([session.visible.screen, JSON.stringify(device.disk.writes.map((changes) => [...changes])).includes("canary"), rejected], ["safe", false, []]);
  for (const one of [other, session]) one.close();
});

test("in a session with `keep` but without an engine, the service also translates actions that wait during a migration", async () => {
  const device = new Device(service.url);
  const { session, old, now, move } = await moving("plain", async (app) => ({ session: await device.page().start({ app, predict: false }) }));
  const bodies = [];
  device.fetch = (url, init) => {
    if (init?.method === "POST") bodies.push(JSON.parse(init.body));
    return fetch(url, init);
  };
  session.subscribe(() => {});
  await until(session, ({ connection }) => connection === "live");
  device.isOnline = false;
  const posts = [show(session, 1), session.act({ step: "ask" }), session.back({ from: null })];
  await move();
  await until(session, ({ definition }) => definition === now);
  posts.push(session.act({ step: "display", params: { n: 2 } }), session.act({ step: "query" }));
  await device.goOnline();
  await Promise.all(posts);
  assert.equal(screens(session), "home page1 page2 offer");
  assert.deepEqual(bodies.map(({ definition }) => definition), [old, old, now, now]);
  session.close();
});

test("params in a Proxy, as some UI frameworks create them, are stored and posted like others", async () => {
  const device = new Device(service.url);
  const page = device.page();
  const session = await page.start({ app: "trip" });
  await device.ready(session.id);
  device.isOnline = false;
  const other = await device.page().connect({ id: session.id, secret: session.secret });
  await settled();
  const posts = [session, other].map((one, place) => watched(one.act({ step: "show", params: new Proxy({ n: place + 1 }, {}) })));
  await until(session, (snapshot) => screens(snapshot) === "home page1 page2");
  await device.disk.until(() => device.stored(session.id).pending.length === 2);
  assert.deepEqual(device.stored(session.id).pending.map(({ body }) => body.params), [{ n: 1 }, { n: 2 }]);
  await device.goOnline();
  await until(session, ({ waiting }) => waiting === 0);
  await settled();
  assert.deepEqual([posts.map(({ state }) => state), device.notices], [["done", "done"], []]);
  for (const one of [other, session]) one.close();
});

test("if a session is migrated while the client reads its definition, the client predicts with the new definition", async () => {
  const begin = async (app) => ({ session: await start({ baseURL: service.url, app, predict: false }) });
  const { session: first, now, move } = await moving("moving-early", begin);
  let hasMoved = false;
  const moveOnce = async (address, options) => {
    const response = await fetch(address, options);
    if (!hasMoved && String(address).endsWith("/definition")) {
      hasMoved = true;
      await move();
    }
    return response;
  };
  const session = await connect({ baseURL: service.url, id: first.id, secret: first.secret, fetch: moveOnce, follow: "poll" });
  const leave = session.subscribe(() => {});
  await until(session, ({ predicts }) => predicts);
  const tap = session.act({ step: "display", params: { n: 1 } });
  assert.equal(screens(session), "home page1", "the step exists only in the new definition");
  await tap;
  assert.deepEqual([hasMoved, session.getSnapshot().definition], [true, now]);
  leave();
  for (const one of [session, first]) one.close();
});
