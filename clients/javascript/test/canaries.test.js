import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { Device } from "../testing/device.js";
import { Gathered } from "../testing/gathered.js";
import { HeldNetwork } from "../testing/held-network.js";
import { settled } from "../testing/manual-machine.js";
import { operatorKey, predictable, startService, until } from "../testing/service.js";
import { put } from "../testing/trip.js";

/** Values that must not reach a page: the environment, a hidden fact, the token and the secret param of another client, and the request of a load. */
const withheld = {
  VAULT_KEY: "canary-of-the-environment", VAULT_HEADER: "canary-of-a-header", VAULT_CLIENT: "canary-of-the-oauth-client", VAULT_SECRET: "canary-of-the-oauth-secret",
  VAULT_REDIRECT: "vault://canary-of-the-redirect",
  host: "canary-host.example", path: "canary-path", query: "canary-query", body: "canary-body", hidden: "canary-hidden-default", token: "canary-token-of-another",
  pin: "canary-pin-of-another",
};
/** Values that the user enters in the page. */
const typed = { token: "typed-token-of-the-user", pin: "typed-pin-of-the-user", code: "typed-code-of-the-user" };

const vault = `
app: vault
language: 1
compat: { emits: any }
root: { flow: main }
allowHosts: [${withheld.host}]
facts:
  key: { type: string, env: VAULT_KEY }
  spare: { type: string, env: VAULT_SPARE, default: ${withheld.hidden} }
  region: { type: string, default: shown-region }
screens:
  door: {}
  page: { params: { n: integer } }
  room: { params: { pin: { type: string, secret: true } } }
steps: { show: { n: integer }, enter: { pin: { type: string, secret: true } }, ask: , load: }
oauth:
  authorizationEndpoint: { env: VAULT_LOGIN, default: "https://login.example/api", path: /authorize }
  tokenEndpoint: { env: VAULT_LOGIN, default: "https://login.example/api", path: /token }
  clientId: { env: VAULT_CLIENT }
  clientSecret: { env: VAULT_SECRET }
  redirectUrl: { env: VAULT_REDIRECT }
  scope: read
flows:
  main:
    stack: door
    handle:
      show: { push: page, with: { n: $n } }
      enter: { push: room, with: { pin: $pin } }
      ask:
        - { when: { fact: key, is: absent }, do: { push: page, with: { n: 1 } } }
        - { do: { push: page, with: { n: 2 } } }
      load:
        load:
          post: "https://${withheld.host}/${withheld.path}?q=${withheld.query}"
          body: { b: ${withheld.body}, k: $fact.key }
          headers: { X-Key: { env: VAULT_HEADER } }
`;

let service;
let gathered;
before(async () => {
  gathered = new Gathered();
  const environment = Object.fromEntries(Object.entries(withheld).filter(([name]) => name.startsWith("VAULT_")));
  service = await startService({ ...predictable, ...environment });
  await put(service, "vault", vault);
});
after(async () => {
  gathered.end();
  await service.stop();
});

function known(problem) {
  assert.equal(problem.name, "CairnProblem", problem.stack);
}

/** Posts actions of all kinds in the page, and then the same ones with other values as an operator. Resolves to the operator's client. */
async function walk(session, { id }) {
  const operator = await connect({ baseURL: service.url, id, secret: operatorKey, predict: false });
  for (const one of [session, operator]) {
    const [token, pin] = one === session ? [typed.token, typed.pin] : [withheld.token, withheld.pin];
    const actions = [
      { step: "show", params: { n: 4 } }, { type: "back" }, { step: "enter", params: { pin } }, { step: "ask" }, { step: "load" }, { type: "token", accessToken: token },
      { type: "push", screen: "room", params: { pin } }, { type: "login", code: typed.code, state: "wrong" }, { type: "popToRoot" }, { step: "show", params: { n: 5 } },
    ];
    for (const action of actions) await one.act(action).catch(known);
    // Actions that are posted during a request are sent together in the next request.
    await Promise.all(actions.slice(0, 5).map((action) => one.act(action).catch(known)));
  }
  await operator.refresh();
  await until(session, ({ revision, waiting }) => waiting === 0 && revision >= operator.revision);
  assert.deepEqual(session.tree, operator.tree);
  await session.history();
  await session.plan({ step: "ask" });
  gathered.note("the snapshot", session.getSnapshot());
  return operator;
}

/** Asserts that no withheld value was recorded. */
function assertWithheld() {
  for (const [what, text] of Object.entries(withheld)) assert.deepEqual(gathered.search(text), [], what);
}

/** Asserts that no value that the user entered was recorded. The requests of the page are not recorded. */
function assertForgotten() {
  for (const [what, text] of Object.entries(typed)) assert.deepEqual(gathered.search(text), [], what);
}

async function created() {
  return start({ baseURL: service.url, app: "vault", credential: operatorKey, accessToken: withheld.token, requests: "manual", predict: false });
}

test("withheld and entered values are found neither in a page's responses and snapshot nor in the memory of its engine", async () => {
  const { id, secret } = await created();
  const session = await connect({ baseURL: service.url, id, secret, fetch: gathered.fetch, onNotice: (...given) => gathered.note("a notice", given) });
  session.subscribe(() => {});
  await until(session, ({ predicts, connection }) => predicts && connection === "live");
  await walk(session, { id });
  assert.ok(gathered.size.engines > 0 && gathered.search("shown-region").includes("the memory of an engine"), "the search must find a visible fact");
  assertWithheld();
  assertForgotten();
  session.close();
});

test("pages neither store withheld or entered values nor send them to each other", async () => {
  const { id, secret } = await created();
  const device = new Device(service.url, gathered.fetch);
  gathered.disk(device.disk);
  const opened = async () => {
    const page = device.page();
    const session = await page.connect({ id, secret, channels: gathered.channels(page.options.channels) });
    session.subscribe(() => {});
    return { page, session };
  };
  const [leading, following] = [await opened(), await opened()];
  await until(leading.session, ({ predicts, connection }) => predicts && connection === "live");
  await walk(leading.session, { id });
  await following.session.act({ step: "show", params: { n: 7 } });
  await until(leading.session, ({ waiting, visible }) => waiting === 0 && visible.params?.n === 7);
  await device.disk.until(() => device.stored(id)?.replica?.revision + device.stored(id)?.replica?.log.length === leading.session.revision);
  device.isOnline = false;
  leading.session.act({ step: "enter", params: { pin: typed.pin } }).catch(known);
  await assert.rejects(leading.session.token(typed.token, { queue: true }), { code: "offline" });
  leading.session.act({ step: "show", params: { n: 8 } }).catch(known);
  // The action with the PIN is stored too, because the PIN is sealed.
  await device.disk.until(() => device.stored(id)?.pending[1]?.body.params?.n === 8);
  leading.page.kill();
  await device.goOnline();
  await until(following.session, ({ waiting, visible }) => waiting === 0 && visible.params?.n === 8);
  await settled();
  gathered.note("the notices of the pages", device.notices);
  assert.ok(gathered.search("shown-region").some((name) => name.startsWith("the stored session")));
  assert.ok(gathered.search('"n":7').some((name) => name.startsWith("a message")));
  assertWithheld();
  assertForgotten();
  following.session.close();
});

for (const [what, action] of [
  ["a secret param of a step", (text) => ({ step: "enter", params: { pin: text } })],
  ["a secret param of a primitive", (text) => ({ type: "push", screen: "room", params: { pin: text } })],
  ["a token", (text) => ({ type: "token", accessToken: text })],
  ["a code", (text) => ({ type: "login", code: text, state: "s" })],
]) {
  test(`${what} that the user enters is not in the engine's memory while the post waits, nor after its response`, async (context) => {
    // A long text has an allocation of its own, which later allocations do not overwrite soon.
    const text = `typed-${what.replaceAll(" ", "-")}`.padEnd(3_000, "-y");
    const { id, secret } = await created();
    const network = new HeldNetwork();
    const session = await connect({ baseURL: service.url, id, secret, fetch: network.fetch });
    context.after(() => session.close());
    session.subscribe(() => {});
    await until(session, ({ predicts, connection }) => predicts && connection === "live");
    const operator = await connect({ baseURL: service.url, id, secret: operatorKey, predict: false });
    network.hold();
    const posts = [session.act(action(text)), session.act({ step: "show", params: { n: 1 } }), session.back()];
    // The operator's entries precede the pending actions, so the engine runs these again.
    for (const n of [2, 3]) await operator.act({ step: "show", params: { n } });
    await until(session, ({ revision }) => revision >= operator.revision);
    assert.equal(gathered.inEngines(text.slice(-100)), false, "while the post waits");
    network.release();
    await Promise.all(posts.map((post) => post.catch(known)));
    await until(session, ({ waiting }) => waiting === 0);
    assert.equal(gathered.inEngines(text.slice(-100)), false);
  });
}
