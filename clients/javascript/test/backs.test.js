import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import test, { after, before } from "node:test";
import { Backs } from "../src/backs.js";
import { connect, start } from "../src/node.js";
import { writeOddApps } from "../testing/odd-apps.js";
import { drawn, lot } from "../testing/random-actions.js";
import { operatorKey, startService } from "../testing/service.js";

// The service determines the effect of `back`. `Backs` computes how many times in a row `back` has an effect, and these tests compare this number with the
// service.
const turns = Number(process.env.CAIRN_TEST_TURNS ?? 40);
const odd = writeOddApps(12, 31);
let services;
before(async () => { services = { shipped: await startService(), odd: await startService({ CAIRN_APPS: odd.folder }) }; });
after(async () => {
  await Promise.all(Object.values(services).map((service) => service.stop()));
  rmSync(odd.folder, { recursive: true });
});

const screen = (name) => ({ id: name, kind: "screen", name });
const stack = (...children) => ({ id: "s", kind: "stack", name: "s", children });
const tabs = (name, selected, ...children) => ({ id: name, kind: "tabs", name, selected, children });
const split = (...children) => ({ id: "p", kind: "split", name: "p", children });
const [a, b, c] = ["a", "b", "c"].map(screen);
for (const [what, tree, count] of [
  ["a stack of three screens", stack(a, b, c), 2],
  ["a stack that contains two stacks", stack(stack(a, b), stack(c)), 2],
  ["a split whose two panes are stacks", split(stack(a, b), stack(c, c, c)), 3],
  ["a split without a detail", split(stack(a, b)), 1],
  ["a screen below a modal stack of two screens, which another modal covers", { ...stack(a), presented: { ...stack(b, b), presented: c } }, 3],
  ["a modal on the unselected one of two tabs", tabs("t", 0, a, { ...b, presented: c }), 1],
  ["two modals on levels, with a third modal over the second", { ...stack(a), levels: [b, { ...c, presented: a }] }, 3],
  ["a stack whose second child is a tab container", stack(a, tabs("t", 1, stack(a, b), c)), 1],
  ["a stack whose first child is a tab container", stack(tabs("t", 1, stack(a, b), c), a), 3],
  ["a tab container in a tab of another one", tabs("t", 1, stack(a, b), tabs("u", 1, b, stack(c, c))), 4],
]) test(`the number of effective backs is ${count} for ${what}`, () => assert.equal(new Backs().of({ tree }), count));

for (const app of ["delivery", "bank", "shop", "rxflow-demo", "qiita"]) {
  test(`the number of effective backs is that of the service after each action of a random walk through ${app}`, () => walk(services.shipped.url, app));
}
for (const app of odd.names) {
  test(`the number of effective backs is that of the service after each action of a random walk through ${app}`, () => walk(services.odd.url, app));
}

async function walk(baseURL, app) {
  const chance = lot(app);
  const given = { baseURL, app, credential: operatorKey, clock: "manual", requests: "manual", predict: false };
  const session = await start(given).catch((problem) =>
    assert.ok([409, 422].includes(problem.status), "the start of the app is refused: its steps loop, or it grows too large"));
  if (!session) return;
  const operated = await connect({ baseURL, id: session.id, secret: operatorKey, predict: false });
  const backs = new Backs();
  for (let turn = 0; turn < turns; turn += 1) {
    const before = operated.getSnapshot();
    const action = chance(3) === 0 ? { type: "back" } : drawn(chance, operated);
    const answer = await operated.act(action).catch((error) => assert.equal(error.name, "CairnProblem"));
    check(backs, { before, now: operated.getSnapshot(), action, answer });
  }
  await session.end();
}

function check(backs, { before, now, action, answer }) {
  const told = JSON.stringify([action, before.tree, now.tree]);
  const count = backs.of(now);
  assert.equal(count > 0, now.accepts.primitives.includes("back"), told);
  // The count is checked only if the action did nothing but go back. A handler may have further effects, such as pushing another screen.
  const isGesture = action.type === "back" && answer?.changes.length === 1 && ["pop", "dismiss", "select"].includes(answer.changes[0].op);
  // On the last screen, a guard that asks before the app is left counts as one back. Such a back does not reduce the number.
  const asksNow = count === 1 && now.accepts.guarded?.includes("back");
  if (isGesture && !asksNow) assert.equal(count, backs.of(before) - 1, told);
}
