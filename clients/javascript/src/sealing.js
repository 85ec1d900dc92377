import { limits } from "./storage/kept.js";

/**
 * The time in milliseconds for which a key is used after it was read. The service opens values for longer, because a value that is sealed at the end of this
 * time may wait equally long before it is sent.
 */
const lifetime = limits.milliseconds;
/** The number of characters at the beginning of a key's text that are the key's id. */
const idLength = 16;
const [encoder, info] = [new TextEncoder(), "cairn secret param"];

/**
 * Seals the values of secret params for the service (docs/engine.md), so that an action with them can wait for the network and be stored. Only the service
 * can open such a value.
 */
export class Sealer {
  #core;
  /** @type {import("./types").SealingKey | undefined} the service's newest known key; undefined if the service has sent none */
  #key;
  /** @type {Promise<unknown> | undefined} settles when the last action has been sealed; undefined if none is being sealed */
  #last;
  /** The posts of other pages that are being sealed, by their names. */
  #named = new Map();

  /** @param {import("./session/core.js").SessionCore} core @param {import("./types").Whole} whole */
  constructor(core, whole) {
    this.#core = core;
    this.note(whole);
  }

  /** The key with the time at which it was read, for the next page. */
  get keepable() { return this.#key; }

  /** Notes the key of a response, or of a session that an earlier page stored. */
  note(/** @type {Partial<import("./types").Whole> | undefined} */ { sealingKey, sealing } = {}) {
    if (isKey(sealingKey)) this.#key = { key: sealingKey, at: this.#core.transport.machine.now() };
    else if (isKey(sealing?.key) && Number.isFinite(sealing.at) && !(this.#key?.at >= sealing.at)) this.#key = { key: sealing.key, at: sealing.at };
  }

  /**
   * Returns a promise of the form in which a body is posted; undefined if the body is posted at once and unchanged. Only an action with a secret is sealed, and
   * only without a network. While an action is being sealed, later actions wait for it, because the order of the posts does not change. `uid` is the name of
   * the post among the browser's pages.
   */
  sealed(path, body, uid = undefined) {
    const names = this.#mustSeal(path) ? this.#core.predictions.secretParams(body) : [];
    if (names.length === 0 && this.#last === undefined) return undefined;
    const result = this.#after(this.#last, body, names);
    const last = result.catch(() => {}).then(() => {
      if (this.#last === last) this.#last = undefined;
      this.#named.delete(uid);
    });
    this.#last = last;
    if (uid !== undefined) this.#named.set(uid, last);
    return result;
  }

  /** Returns a promise that settles when the post with this name has been sealed; undefined if it is not being sealed. */
  pending(uid) {
    return this.#named.get(uid);
  }

  /** Returns whether secret params are sealed now. A session that the service does not have yet has no id to which a value could be bound. */
  #mustSeal(path) {
    const { connection, role, transport: { machine } } = this.#core;
    return path === "/actions" && this.#key !== undefined && machine.now() - this.#key.at < lifetime && !role.isLocal && connection.isOffline
      && globalThis.crypto?.subtle !== undefined;
  }

  async #after(/** @type {Promise<unknown> | undefined} */ last, body, /** @type {string[]} */ names) {
    await last;
    if (names.length === 0) return body;
    const { key } = this.#key;
    const params = { ...body.params };
    for (const name of names) {
      const box = await seal(encoder.encode(params[name]), bytesOf(key), { info: encoder.encode(info), purpose: encoder.encode(this.#core.identity.id) });
      params[name] = { key: key.slice(0, idLength), sealed: textOf(box) };
    }
    return { ...body, params };
  }
}

// MARK: HPKE

const curve = { name: "ECDH", namedCurve: "P-256" };
const [kem, suite] = [[...encoder.encode("KEM"), 0, 0x10], [...encoder.encode("HPKE"), 0, 0x10, 0, 1, 0, 1]];

/**
 * Encrypts a message by HPKE (RFC 9180) in base mode with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-128-GCM. Resolves to the encapsulated key, the
 * ciphertext and the tag.
 * @param {Uint8Array} clear @param {Uint8Array} publicKey an uncompressed point
 * @param {{ info: Uint8Array, purpose: Uint8Array, ephemeral?: CryptoKeyPair }} given `purpose` is authenticated. `ephemeral` is a
 * key that is used only once; by default it is a new key
 */
export async function seal(clear, publicKey, { info, purpose, ephemeral }) {
  const { subtle } = globalThis.crypto;
  const recipient = await subtle.importKey("raw", publicKey, curve, false, []);
  const pair = ephemeral ?? await subtle.generateKey(curve, false, ["deriveBits"]);
  const encapsulated = new Uint8Array(await subtle.exportKey("raw", pair.publicKey));
  const common = new Uint8Array(await subtle.deriveBits({ name: "ECDH", public: recipient }, pair.privateKey, 256));
  const shared = await expand(kem, await extract(kem, [], "eae_prk", common), "shared_secret", [...encapsulated, ...publicKey], 32);
  const context = [0, ...await extract(suite, [], "psk_id_hash", []), ...await extract(suite, [], "info_hash", info)];
  const secret = await extract(suite, shared, "secret", []);
  const key = await subtle.importKey("raw", await expand(suite, secret, "key", context, 16), "AES-GCM", false, ["encrypt"]);
  const iv = await expand(suite, secret, "base_nonce", context, 12);
  const box = await subtle.encrypt({ name: "AES-GCM", iv, additionalData: purpose }, key, clear);
  return new Uint8Array([...encapsulated, ...new Uint8Array(box)]);
}

/** RFC 9180, 4, LabeledExtract. */
function extract(/** @type {number[]} */ suite, salt, label, secret) {
  return hmac(salt.length === 0 ? new Uint8Array(32) : salt, [...labeled(suite, label), ...secret]);
}

/** RFC 9180, 4, LabeledExpand, for at most 32 bytes. */
async function expand(/** @type {number[]} */ suite, key, label, info, count) {
  return (await hmac(key, [0, count, ...labeled(suite, label), ...info, 1])).slice(0, count);
}

function labeled(/** @type {number[]} */ suite, label) {
  return [...encoder.encode("HPKE-v1"), ...suite, ...encoder.encode(label)];
}

async function hmac(/** @type {Uint8Array} */ key, /** @type {number[]} */ text) {
  const { subtle } = globalThis.crypto;
  const imported = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", imported, new Uint8Array(text)));
}

// MARK: Base64url

function textOf(/** @type {Uint8Array} */ bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytesOf(/** @type {string} */ text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** Returns whether a value is an uncompressed point in base64url. */
function isKey(value) {
  return typeof value === "string" && /^B[\w-]{86}$/.test(value);
}
