import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { Engine } from "../src/engine.js";
import { writeOddApps } from "../testing/odd-apps.js";
import { lot, one } from "../testing/random-actions.js";
import { operatorKey, predictable, startService, until } from "../testing/service.js";
import { live } from "../testing/trip.js";

// Random walks of a client with an engine, among an operator's actions, advances of the clock and undos. Whenever the engine has confirmed all that it ran, its
// tree must be the service's at that revision; when all is answered, so must be what is shown.
const turns = Number(process.env.CAIRN_TEST_TURNS ?? 60);
const odd = writeOddApps(33, 12);
const shipped = ["delivery", "bank", "shop", "rxflow-demo", "load-studies", "qiita", "flow-controller-push", "flow-controller-modal"];
let services;
before(async () => {
  services = { shipped: await startService(predictable), odd: await startService({ ...predictable, CAIRN_APPS: odd.folder }) };
});
after(async () => {
  await Promise.all(Object.values(services).map((service) => service.stop()));
  rmSync(odd.folder, { recursive: true });
});

/** The trees of engines without pending actions, by revision, of the walk that runs. */
let confirmed = [];
let predictions = 0;

/** Notes what an engine shows whenever nothing is pending. */
for (const name of ["predict", "confirm", "drop", "adopt"]) {
  const { [name]: call } = Engine.prototype;
  Engine.prototype[name] = function (...given) {
    const made = call.apply(this, given);
    this.pending ??= new Set();
    if (name === "predict") this.pending.add(given[0]);
    else if (name === "adopt") for (const number of this.pending) this.pending.delete(number <= given[0] ? number : undefined);
    else this.pending.delete(given[0]);
    if (name === "predict" && made.changes) predictions += 1;
    if (this.pending.size === 0) confirmed.push(this.view());
    return made;
  };
}

for (const app of shipped) test(`a predicted walk through ${app} shows what the service shows`, () => walk(services.shipped.url, app));
for (const app of odd.names) test(`a predicted walk through ${app} shows what the service shows`, () => walk(services.odd.url, app));
test("actions were predicted", () => assert.ok(predictions > turns, `${predictions} predictions`));

async function walk(baseURL, app) {
  const chance = lot(app);
  const started = await start({ baseURL, app, credential: operatorKey, clock: "manual", requests: "manual", predict: false }).catch((problem) =>
    assert.equal(problem.status, 422, "a definition whose start cannot end"));
  if (!started) return;
  confirmed = [];
  const { id, secret } = started;
  const session = await connect({ baseURL, id, secret, onNotice: (text, cause) => { throw new Error(text, { cause }); } });
  await live(session);
  const operator = await connect({ baseURL, id, secret: operatorKey, predict: false });
  let posts = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const kind = chance(10);
    if (kind < 6) posts.push(session.act(one(chance, session)).catch(known));
    else if (kind < 8) await operator.act(one(chance, operator)).catch(known);
    else if (kind === 8) await undo(operator, 1 + chance(operator.revision)).catch(known);
    else {
      await Promise.all(posts);
      posts = [];
      await compare(session, operator, app);
    }
  }
  await Promise.all(posts);
  await compare(session, operator, app);
  session.close();
  await started.end();
}

function known(problem) {
  if (problem.name !== "CairnProblem") throw problem;
}

function undo(operator, revision) {
  return operator.post("/undo", { revision });
}

/** All is answered: what is shown is what the service has. */
async function compare(session, operator, app) {
  await operator.refresh();
  await until(session, ({ revision, waiting }) => waiting === 0 && revision >= operator.revision);
  assert.deepEqual(session.tree, operator.tree, app);
  for (const { revision, tree } of confirmed.splice(0)) assert.deepEqual(tree, (await operator.at(revision)).tree, `${app} at revision ${revision}`);
}
