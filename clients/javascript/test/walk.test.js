import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import test, { after, before } from "node:test";
import { connect, play, routesOf, start } from "../src/node.js";
import { writeOddApps } from "../testing/odd-apps.js";
import { operatorKey, startService } from "../testing/service.js";

// Random walks over the service: what is played must be the service's tree, and what is shown its stack. The third reader of docs/changes.md, beside
// the core's own and the one in Python, on the same odd definitions as that one.
const turns = Number(process.env.CAIRN_TEST_TURNS ?? 60);
const shipped = ["delivery", "bank", "shop", "rxflow-demo", "load-studies", "qiita", "flow-controller-push", "flow-controller-modal"];
const odd = writeOddApps(20, 12);
let services;
before(async () => { services = { shipped: await startService(), odd: await startService({ CAIRN_APPS: odd.folder }) }; });
after(async () => {
  await Promise.all(Object.values(services).map((service) => service.stop()));
  rmSync(odd.folder, { recursive: true });
});

for (const app of shipped) test(`a walk through ${app} is played as the service tells it`, () => walk(services.shipped.url, app));
for (const app of odd.names) test(`a walk through ${app} is played as the service tells it`, () => walk(services.odd.url, app));

async function walk(baseURL, app) {
  const chance = lot([...app].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
  const session = await start({ baseURL, app, credential: operatorKey, clock: "manual", requests: "manual", details: false }).catch((problem) =>
    assert.equal(problem.status, 422, "a definition whose start cannot end"));
  if (!session) return;
  const operated = await connect({ baseURL, id: session.id, secret: operatorKey });
  for (let turn = 0; turn < turns; turn += 1) {
    const { tree } = operated;
    const action = drawn(chance, operated);
    const told = JSON.stringify(action);
    const answer = await operated.act(action).catch((error) => assert.equal(error.name, "CairnProblem", told));
    if (answer === undefined) continue;
    const whole = await operated.at(answer.revision);
    const changes = (answer.answers ?? [answer]).flatMap((one) => one.changes);
    assert.deepEqual(play(tree, changes), whole.tree, told);
    assert.deepEqual(routesOf(whole.tree), whole.stack.map(({ flow, ...route }) => route), told);
    assert.deepEqual([operated.tree, operated.visible?.id], [whole.tree, whole.visible?.id], told);
  }
  await session.end();
}

/** Numbers below a bound, the same at each run. */
function lot(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

function drawn(chance, session) {
  if (chance(8) === 0) return [one(chance, session), one(chance, session)];
  return one(chance, session);
}

function one(chance, session) {
  const oddSteps = ["go", "back", "pick", "more", "ask", "done", "twist"];
  const screens = ["home", "list", "detail", "notice", "asked"];
  const screen = () => screens[chance(screens.length)];
  const steps = session.accepts.steps.map(({ step, params }) => () => ({ step, params: given(chance, params) }));
  const gestures = [
    () => ({ type: "back" }), () => ({ type: "pop" }), () => ({ type: "dismiss" }), () => ({ type: "select", tab: chance(3) }),
    () => ({ type: "token", accessToken: "t" }), () => ({ type: "logout" }), () => ({ type: "advance", by: `${chance(5) + 1}s` }),
    () => ({ type: "popToRoot" }), () => ({ type: "push", screen: screen() }), () => ({ type: "present", screen: screen() }),
    () => ({ type: "set", stack: [screen(), screen()].map((name) => ({ screen: name })) }), () => ({ step: oddSteps[chance(oddSteps.length)] }),
    () => ({ type: "facts", set: { wide: chance(2) === 0 } }), () => ({ type: "appState", state: ["background", "foreground"][chance(2)] }),
  ];
  const from = steps.length > 0 && chance(3) > 0 ? steps : gestures;
  return from[chance(from.length)]();
}

/** Params of the accepted types: a type's name, or the allowed values. */
function given(chance, params) {
  const values = { integer: () => chance(4), number: () => chance(4), boolean: () => chance(2) === 1 };
  const value = (type) => {
    const all = type?.in ?? type?.values;
    if (Array.isArray(all)) return all[chance(all.length)];
    return (values[String(type?.type ?? type).replace("?", "")] ?? (() => ["text", "one", "two"][chance(3)]))();
  };
  return Object.fromEntries(Object.entries(params).map(([name, type]) => [name, value(type)]));
}
