import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import test, { after, before } from "node:test";
import { connect, play, routesOf, start } from "../src/node.js";
import { writeOddApps } from "../testing/odd-apps.js";
import { drawn, lot } from "../testing/random-actions.js";
import { operatorKey, startService } from "../testing/service.js";

// Random walks with a running service: the client's tree after the changes must be the service's tree, and its routes the service's stack. The client
// implements docs/changes.md independently of the core and of Benchmarks/drive. Benchmarks/drive uses the same unusual definitions.
const turns = Number(process.env.CAIRN_TEST_TURNS ?? 60);
const shipped = ["delivery", "bank", "shop", "rxflow-demo", "load-studies", "qiita", "flow-controller-push", "flow-controller-modal"];
const odd = writeOddApps(20, 12);
let services;
before(async () => { services = { shipped: await startService(), odd: await startService({ CAIRN_APPS: odd.folder }) }; });
after(async () => {
  await Promise.all(Object.values(services).map((service) => service.stop()));
  rmSync(odd.folder, { recursive: true });
});

for (const app of shipped) test(`in a random walk through ${app}, the client's trees equal the service's`, () => walk(services.shipped.url, app));
for (const app of odd.names) test(`in a random walk through ${app}, the client's trees equal the service's`, () => walk(services.odd.url, app));

async function walk(baseURL, app) {
  const chance = lot(app);
  const session = await start({ baseURL, app, credential: operatorKey, clock: "manual", requests: "manual", details: false }).catch((problem) =>
    assert.ok([409, 422].includes(problem.status), "the start of the app is refused: its steps loop, or it grows too large"));
  if (!session) return;
  const operated = await connect({ baseURL, id: session.id, secret: operatorKey });
  for (let turn = 0; turn < turns; turn += 1) {
    const { tree } = operated;
    const action = drawn(chance, operated);
    const told = JSON.stringify(action);
    const answer = await operated.act(action).catch((error) => assert.equal(error.name, "CairnProblem", told));
    if (answer === undefined || answer.outcome === "stale") continue;
    const whole = await operated.at(answer.revision);
    const changes = (answer.answers ?? [answer]).flatMap((one) => one.changes);
    assert.deepEqual(play(tree, changes), whole.tree, told);
    assert.deepEqual(routesOf(whole.tree), whole.stack.map(({ flow, ...route }) => route), told);
    assert.deepEqual([operated.tree, operated.visible?.id], [whole.tree, whole.visible?.id], told);
  }
  await session.end();
}
