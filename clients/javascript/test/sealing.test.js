import assert from "node:assert/strict";
import { createDecipheriv, createHmac, createPrivateKey, createPublicKey, diffieHellman } from "node:crypto";
import test from "node:test";
import { seal, Sealer } from "../src/sealing.js";
import { hasSecret, mayBeStored } from "../src/storage/secrecy.js";

/** RFC 9180, A.3.1: the keys, and the first message. */
const vector = {
  info: "4f6465206f6e2061204772656369616e2055726e",
  ephemeral: "4995788ef4b9d6132b249ce59a77281493eb39af373d236a1fe415cb0c2d7beb",
  recipient: "f3ce7fdae57e1a310d87f1ebbde6f328be0a99cdbcadf4d6589cf29de4b8ffd2",
  publicKey: "04fe8c19ce0905191ebc298a9245792531f26f0cece2460639e8bc39cb7f706a826a779b4cf969b8a0e539c7f62fb3d30ad6aa8f80e30f1d128aafd68a2ce72ea0",
  encapsulated: "04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac98536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4",
  purpose: "436f756e742d30",
  clear: "4265617574792069732074727574682c20747275746820626561757479",
  box: "5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac232e3ab2523f39513434",
};
const bytes = (hex) => new Uint8Array(Buffer.from(hex, "hex"));

/** Returns a private key of P-256 in the form of JSON Web Keys. */
function keyOf(scalar, point) {
  const part = (from, to) => Buffer.from(bytes(point).slice(from, to)).toString("base64url");
  return { kty: "EC", crv: "P-256", d: Buffer.from(bytes(scalar)).toString("base64url"), x: part(1, 33), y: part(33, 65) };
}

/** Decrypts a box with the recipient's key, by the functions of Node instead of those of the page. Returns the text. */
function opened(box, info, purpose) {
  const hmac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest();
  const [kem, suite] = [Buffer.from([75, 69, 77, 0, 16]), Buffer.from([72, 80, 75, 69, 0, 16, 0, 1, 0, 1])];
  const extract = (id, salt, label, secret) => hmac(salt, "HPKE-v1", id, label, secret);
  const expand = (id, key, label, context, count) => hmac(key, [0, count], "HPKE-v1", id, label, context, [1]).subarray(0, count);
  const encapsulated = box.subarray(0, 65);
  const { d, ...other } = keyOf(vector.recipient, Buffer.from(encapsulated).toString("hex"));
  const privateKey = createPrivateKey({ key: keyOf(vector.recipient, vector.publicKey), format: "jwk" });
  const common = diffieHellman({ privateKey, publicKey: createPublicKey({ key: other, format: "jwk" }) });
  const shared = expand(kem, extract(kem, "", "eae_prk", common), "shared_secret", Buffer.concat([encapsulated, bytes(vector.publicKey)]), 32);
  const context = Buffer.concat([[0], extract(suite, "", "psk_id_hash", ""), extract(suite, "", "info_hash", info)].map((part) => Buffer.from(part)));
  const secret = extract(suite, shared, "secret", "");
  const cipher = createDecipheriv("aes-128-gcm", expand(suite, secret, "key", context, 16), expand(suite, secret, "base_nonce", context, 12));
  cipher.setAAD(Buffer.from(purpose)).setAuthTag(box.subarray(-16));
  return Buffer.concat([cipher.update(box.subarray(65, -16)), cipher.final()]).toString();
}

test("the vector of RFC 9180 for P-256, HKDF-SHA256 and AES-128-GCM in base mode", async () => {
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const key = keyOf(vector.ephemeral, vector.encapsulated);
  const { d, ...open } = key;
  const { subtle } = globalThis.crypto;
  const ephemeral = {
    privateKey: await subtle.importKey("jwk", key, curve, false, ["deriveBits"]), publicKey: await subtle.importKey("jwk", open, curve, true, []),
  };
  const given = { info: bytes(vector.info), purpose: bytes(vector.purpose), ephemeral };
  const box = await seal(bytes(vector.clear), bytes(vector.publicKey), given);
  assert.equal(Buffer.from(box).toString("hex"), vector.encapsulated + vector.box);
  assert.equal(opened(box, bytes(vector.info), bytes(vector.purpose)), "Beauty is truth, truth beauty");
});

test("a message has a new key each time", async () => {
  const given = { info: bytes(vector.info), purpose: new TextEncoder().encode("s1") };
  const boxes = await Promise.all([1, 2].map(() => seal(new TextEncoder().encode("4711"), bytes(vector.publicKey), given)));
  assert.notDeepEqual(boxes[0], boxes[1]);
  for (const box of boxes) assert.equal(opened(box, given.info, "s1"), "4711");
  await assert.rejects(seal(bytes(vector.clear), bytes(vector.publicKey.replace("04fe", "04ff")), given));
});

const definition = { steps: { enter: { params: { pin: { type: "string", secret: true }, n: { type: "integer" } } }, show: {} } };
const publicKey = Buffer.from(bytes(vector.publicKey)).toString("base64url");
const day = 86_400_000;

/** Returns a sealer with the key of a session `s1`, and the parts of the session on which it depends. */
function sealing({ whole = { sealingKey: publicKey } } = {}) {
  const core = {
    now: 0, role: { isLocal: false }, connection: { isOffline: true }, identity: { id: "s1" },
    transport: { machine: { now: () => core.now } },
    predictions: { secretParams: ({ step, params }) => (step === "enter" ? ["pin", "other"].filter((name) => typeof params[name] === "string") : []) },
  };
  return { core, sealer: new Sealer(core, whole) };
}
const enter = (pin = "4711") => ({ step: "enter", params: { pin, n: 1 } });

test("without a network, the secret params of a step are sealed for the session, and the action can be stored", async () => {
  const { sealer } = sealing();
  const body = await sealer.sealed("/actions", enter("4711 é 💌"));
  const { pin, n } = body.params;
  assert.deepEqual([body.step, n, pin.key, Object.keys(pin)], ["enter", 1, publicKey.slice(0, 16), ["key", "sealed"]]);
  assert.equal(opened(Buffer.from(pin.sealed, "base64url"), "cairn secret param", "s1"), "4711 é 💌");
  assert.throws(() => opened(Buffer.from(pin.sealed, "base64url"), "cairn secret param", "s2"));
  assert.deepEqual([mayBeStored(body, definition), hasSecret(body, definition)], [true, false]);
  assert.deepEqual([mayBeStored(enter(), definition), hasSecret(enter(), definition)], [false, true]);
  assert.equal(JSON.stringify(body).includes("4711"), false);
});

for (const pin of ["4711", { sealed: "AA" }, { key: "AA", sealed: 1 }, { key: "AA", sealed: "AA", clear: "4711" }]) {
  test(`a secret ${JSON.stringify(pin)} is not stored`, () => {
    assert.deepEqual([mayBeStored(enter(pin), definition), hasSecret(enter(pin), definition)], [false, true]);
  });
}

for (const [what, change] of [
  ["with a network", ({ core }) => { core.connection.isOffline = false; }],
  ["in a session that the service does not have yet", ({ core }) => { core.role.isLocal = true; }],
  ["with a key that was read 14 days ago", ({ core }) => { core.now = 14 * day; }],
]) {
  test(`a secret is not sealed ${what}`, () => {
    const made = sealing();
    change(made);
    assert.equal(made.sealer.sealed("/actions", enter()), undefined);
  });
}

test("a secret is not sealed without a key, and a wrong key counts as none", () => {
  for (const whole of [{}, { sealingKey: "B" }, { sealingKey: `A${publicKey.slice(1)}` }, { sealing: { key: publicKey } }, { sealing: { key: 1, at: 0 } }]) {
    const { sealer } = sealing({ whole });
    assert.deepEqual([sealer.sealed("/actions", enter()), sealer.keepable], [undefined, undefined], JSON.stringify(whole));
  }
});

test("the newest key is used, and kept for the next page with the time at which it was read", () => {
  const { core, sealer } = sealing();
  core.now = 5;
  const other = `${publicKey.slice(0, -1)}A`;
  sealer.note({ sealing: { key: other, at: -1 } });
  assert.deepEqual(sealer.keepable, { key: publicKey, at: 0 });
  sealer.note({ sealingKey: other });
  sealer.note({});
  sealer.note(undefined);
  assert.deepEqual(sealer.keepable, { key: other, at: 5 });
  assert.deepEqual(sealing({ whole: { sealing: { key: publicKey, at: 3 } } }).sealer.keepable, { key: publicKey, at: 3 });
});

test("while a post of another page is sealed, it can be found by its name", async () => {
  const { sealer } = sealing();
  const ready = sealer.sealed("/actions", enter(), "uid-1");
  assert.equal(sealer.pending("uid-2"), undefined);
  const order = [];
  await Promise.all([ready.then(() => order.push("posted")), sealer.pending("uid-1").then(() => order.push("found"))]);
  assert.deepEqual(order, ["posted", "found"]);
  assert.equal(sealer.pending("uid-1"), undefined);
});

test("an action that is posted while another one is sealed waits for it, and no other action waits", async () => {
  const { core, sealer } = sealing();
  const order = [];
  const post = async (name, body) => {
    const ready = sealer.sealed("/actions", body);
    if (ready === undefined) order.push(`${name} at once`);
    else order.push(await ready.then(() => name));
  };
  const show = { step: "show" };
  await post("before", show);
  const posts = [post("first", enter()), post("second", show), post("third", enter())];
  core.connection.isOffline = false;
  posts.push(post("fourth", show));
  await Promise.all(posts);
  await new Promise((resolve) => { setImmediate(resolve); });
  await post("after", show);
  assert.deepEqual(order, ["before at once", "first", "second", "third", "fourth", "after at once"]);
});
