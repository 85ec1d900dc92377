import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { HeldNetwork } from "../testing/held-network.js";
import { settled } from "../testing/manual-machine.js";
import { publish, writeOddApps } from "../testing/odd-apps.js";
import { fromOutside, lot, one } from "../testing/random-actions.js";
import { operatorKey, predictable, startService, until } from "../testing/service.js";
import { answer } from "../testing/scripted-service.js";
import { live } from "../testing/trip.js";
import { engines } from "../testing/watched-engines.js";
import { WatchedViews } from "../testing/watched-views.js";

// Random walks of two clients with engines in one session. Their clocks are an hour fast and an hour slow. The walks include an operator's actions, advances
// of the clock, undos, links, notifications and migrations. Whenever an engine has no pending actions, its tree must equal the service's tree at that
// revision. When all posts are answered, both clients must show the service's tree. The view of a node that was predicted correctly must not be mounted again,
// and a refusal must be one change.
const turns = Number(process.env.CAIRN_TEST_TURNS ?? 60);
const seed = Number(process.env.CAIRN_TEST_SEED ?? 33);
/** Maximum number of turns per session. Further turns use another session. */
const longest = 200;
const odd = writeOddApps(seed, 12);
const shipped = ["delivery", "bank", "shop", "rxflow-demo", "load-studies", "qiita", "flow-controller-push", "flow-controller-modal"];
const hour = 3_600_000;
let services;
before(async () => {
  services = { shipped: await startService(predictable), odd: await startService({ ...predictable, CAIRN_APPS: odd.folder }) };
});
after(async () => {
  await Promise.all(Object.values(services).map((service) => service.stop()));
  rmSync(odd.folder, { recursive: true });
});

/** The number of events of each kind. The last test checks that each kind has occurred. */
const counts = { actions: 0, compared: 0, kept: 0, refused: 0, undone: 0, moved: 0, outside: 0 };

for (const app of shipped) test(`in random walks through ${app}, predicting clients show the service's tree`, () => walks(services.shipped.url, app));
for (const app of odd.names) test(`in random walks through ${app}, predicting clients show the service's tree`, () => walks(services.odd.url, app));
test("the random walks contain every kind of event", (context) => {
  context.diagnostic(JSON.stringify({ ...counts, predictions: engines.predictions, confirmations: engines.confirmations }));
  assert.ok(engines.predictions > turns, `${engines.predictions} predictions`);
  assert.ok(engines.confirmations > turns, `${engines.confirmations} confirmations`);
  for (const [what, count] of Object.entries(counts)) assert.ok(count > 0, what);
});

async function walks(url, app) {
  const release = odd.releases[app];
  const hashes = release && await publish(url, app, release);
  for (let left = turns, number = 0; left > 0; left -= longest, number += 1) await new Walk(url, app, hashes, lot(`${seed} ${app} ${number}`)).run(Math.min(left, longest));
}

/** One session with its clients. */
class Walk {
  #posts = [];
  #compared = 1;

  constructor(url, app, hashes, chance) {
    Object.assign(this, { url, app, hashes, chance });
  }

  async run(turns) {
    const { url, app } = this;
    const started = await start({ baseURL: url, app, credential: operatorKey, clock: "manual", requests: "manual", predict: false }).catch((problem) =>
      assert.ok([409, 422].includes(problem.status), "the start of the app is refused: its steps loop, or it grows too large"));
    if (!started) return;
    this.notices = [];
    this.operator = await connect({ baseURL: url, id: started.id, secret: operatorKey, predict: false });
    this.clients = [await this.#client(started, "first", 1), await this.#client(started, "second", -1)];
    try {
      for (let turn = 0; turn < turns; turn += 1) await this.#turn();
      await this.#compare();
    } finally {
      for (const { session } of this.clients) session.close();
      await started.end();
    }
  }

  async #client({ id, secret }, name, ahead) {
    const network = new HeldNetwork();
    let keys = 0;
    const session = await connect({
      baseURL: this.url, id, secret, fetch: network.fetch, now: () => Date.now() + ahead * hour, newKey: () => `${name}-client-of-a-walk-${(keys += 1)}`,
      onNotice: (text, cause) => this.notices.push(`${text}: ${cause?.message}`),
    });
    await live(session);
    return { session, network, views: new WatchedViews(session, { client: `${name}-`, ahead }) };
  }

  async #turn() {
    const { chance, operator } = this;
    const { session } = this.clients[chance(3) === 0 ? 1 : 0];
    const kind = chance(20);
    counts.actions += 1;
    if (kind < 11) this.#post(() => session.act(this.#bound(session)));
    else if (kind < 14) await operator.act(one(chance, operator)).catch(known);
    else if (kind === 14) await operator.post("/undo", { revision: 1 + chance(operator.revision) }).then(() => { counts.undone += 1; }, known);
    else if (kind < 17) this.#post(() => fromOutside(chance, this.app)([session, operator][chance(2)]).then(() => { counts.outside += 1; }));
    else if (kind === 17) await this.#move();
    else if (kind === 18) await this.#refuse();
    else await this.#compare();
  }

  #post(make) {
    this.#posts.push(make().catch(known));
  }

  /** Returns a random action. A quarter of the steps name the visible screen as the sender. */
  #bound(session) {
    const action = one(this.chance, session);
    return action.step && session.visible && this.chance(4) === 0 ? { ...action, from: session.visible.id } : action;
  }

  async #move() {
    if (!this.hashes) return;
    const { definition } = this.operator.getSnapshot();
    const to = this.hashes.find((hash) => hash !== definition);
    await this.operator.post("/migrate", { to }).then(() => { counts.moved += 1; }, known);
  }

  /** Refuses the first client's next post before it reaches the service. The prediction must be one change, and its removal another one. */
  async #refuse() {
    await this.#compare();
    const [{ session, network }] = this.clients;
    const { tree } = session;
    const trees = [];
    const leave = session.subscribe(() => { if (session.tree !== (trees.at(-1) ?? tree)) trees.push(session.tree); });
    network.refuseNext(() => answer({ status: 409, code: "not-handled", title: "refused" }, 409));
    await session.act(one(this.chance, session)).catch(known);
    await settled();
    leave();
    // The refusal is unused if the client itself refused the action, and so did not post it.
    network.takeRefusal();
    assert.ok(trees.length === 0 || trees.length === 2, `a prediction and its refusal led to ${trees.length} changes`);
    assert.deepEqual(session.tree, tree);
    if (trees.length === 2) counts.refused += 1;
  }

  /** Waits for all responses. Then compares the shown trees, and the engines' trees since the last call, with the service's trees. */
  async #compare() {
    const { operator, app, notices } = this;
    await Promise.all(this.#posts.splice(0));
    await operator.refresh();
    const { revision, tree } = operator;
    for (const { session } of this.clients) await until(session, (shown) => shown.waiting === 0 && shown.revision >= revision && shown.predicts);
    assert.deepEqual(notices, []);
    for (const { session } of this.clients) assert.deepEqual(session.tree, tree, app);
    const { trees, entries } = await this.#since(this.#compared, revision);
    this.#compared = revision;
    for (const view of engines.take()) assert.deepEqual(view.tree, trees.get(view.revision), `${app} at revision ${view.revision}`);
    for (const { views } of this.clients) {
      assert.deepEqual(views.mountedAgain(entries), []);
      counts.kept += views.kept;
      views.kept = 0;
    }
    counts.compared += trees.size;
  }

  /** Returns the service's trees and entries from one revision to another. */
  async #since(first, last) {
    const revisions = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const trees = await Promise.all(revisions.map(async (revision) => [revision, (await this.operator.at(revision)).tree]));
    const { entries } = last > first ? await this.operator.history({ after: first, limit: last - first }) : { entries: [] };
    return { trees: new Map(trees), entries: new Map(entries.map((entry) => [entry.revision, entry])) };
  }
}

function known(problem) {
  if (problem.name !== "CairnProblem") throw problem;
}
