import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { connect, start } from "../src/node.js";
import { HeldNetwork } from "../testing/held-network.js";
import { settled } from "../testing/manual-machine.js";
import { opened } from "../testing/opened.js";
import { answer, popped, pushed } from "../testing/scripted-service.js";
import { predictable, startService, until } from "../testing/service.js";
import { live, put, trip } from "../testing/trip.js";

let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "trip", trip);
});
after(() => service.stop());

/** A storage with the functions of localStorage. `text()` returns its whole content. */
function storageOf() {
  const kept = new Map();
  return {
    getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => void kept.set(name, text), removeItem: (name) => void kept.delete(name),
    text: () => [...kept.values()].join(),
  };
}

/** Ignores the rejections of posts. */
function quiet(...posts) {
  for (const post of posts) post.catch(() => {});
}

test("tokens and codes are never stored, and the other posts keep their order and keys", async () => {
  const storage = storageOf();
  const { session, machine } = await opened({ storage });
  machine.network.isOnline = false;
  quiet(session.token("token-1"), session.step("one", { id: 1 }), session.login("code-1"), session.act([{ type: "token", accessToken: "token-2" }]), session.pop());
  await settled();
  assert.deepEqual(JSON.parse(storage.text()).map(({ body, key }) => [body.step ?? body.type, key]), [["one", "key-2"], ["pop", "key-5"]]);
  session.close();
  await settled();
  const next = await opened({ storage }, answer(pushed()), answer(popped()));
  await settled();
  assert.deepEqual(next.service.posts, [[{ step: "one", params: { id: 1 }, from: "n2" }, '"key-2"'], [{ type: "pop", from: "n2" }, '"key-5"']]);
  assert.equal(storage.text(), "");
});

test("the storage is empty if only a token waits", async () => {
  const storage = storageOf();
  const { session, machine } = await opened({ storage });
  machine.network.isOnline = false;
  quiet(session.token("token-1"));
  await settled();
  assert.equal(storage.text(), "");
  session.close();
});

test("after a lost response, the stored posts before and after a token are repeated with their numbers, and run once", async () => {
  const storage = storageOf();
  let arrived;
  const isThere = new Promise((resolve) => { arrived = resolve; });
  let posts = 0;
  const losing = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== "POST" || (posts += 1) < 3) return response;
    arrived();
    return new Promise(() => {});
  };
  const one = await start({ baseURL: service.url, app: "delivery", predict: false, storage, fetch: losing });
  quiet(one.select(1), one.select(2), one.token("token-1"), one.select(0, { from: null }));
  await isThere;
  assert.deepEqual(JSON.parse(storage.text()).map(({ number }) => number), [1, 3]);
  const next = await connect({ baseURL: service.url, id: one.id, secret: one.secret, predict: false, storage });
  await until(next, ({ waiting }) => waiting === 0);
  const entries = (await next.history({ after: 1 })).entries.map(({ action }) => action.tab ?? action.type);
  assert.deepEqual(entries, [1, 2, "token", 0]);
  assert.equal(storage.text(), "");
  for (const session of [one, next]) session.close();
});

test("with an engine, secret params are removed from the storage as soon as the client has read the definition", async () => {
  const storage = storageOf();
  const network = new HeldNetwork();
  const session = await start({ baseURL: service.url, app: "trip", fetch: network.fetch, storage });
  network.hold();
  quiet(session.step("enter", { pin: "pin-1" }), session.step("show", { n: 1 }));
  // The client has not read the definition yet, so it stores a step with params.
  await settled();
  assert.match(storage.text(), /pin-1/);
  await live(session);
  await settled();
  assert.doesNotMatch(storage.text(), /pin-1/);
  quiet(session.step("enter", { pin: "pin-2" }), session.step("show", { n: 2 }));
  await settled();
  assert.deepEqual(JSON.parse(storage.text()).map(({ body }) => body.params), [{ n: 1 }, { n: 2 }]);
  session.close();
});
