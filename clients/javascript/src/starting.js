import { loadEngine } from "./engine.js";
import { Keeping } from "./keeping.js";
import { Session } from "./session.js";
import { publicGroup } from "./session/groups.js";
import { readWhole, Transport } from "./transport.js";
import { chance, defaults, machineOf } from "./machine.js";

/** The options that belong to the client, not to the started session. */
const own = [
  "baseURL", "credential", "timeout", "attempts", "outbox", "storage", "onRefused", "details", "follow", "predict", "onNotice", "onRejected", "onExit", "keep",
  "remember", "signal", "key",
];

/**
 * The client's options, and the session's keeping if it is kept.
 * @typedef {import("./index").ClientOptions & { keeping?: Keeping, creator?: Transport, kept?: import("./types").Kept, beginning?: object }} Options
 */

export async function connect(/** @type {import("./index").ConnectOptions} */ { id, secret, ...options }) {
  const machine = machineOf(options);
  if (options.keep) {
    const keeping = await Keeping.open(options, machine);
    return reopened(keeping, machine, { ...options, id, secret }, await keeping.load(id));
  }
  return read(new Transport({ ...options, secret }, machine), { ...options, id });
}

async function read(/** @type {Transport} */ transport, /** @type {Options & { id: string }} */ { id, ...options }) {
  const path = `/v1/sessions/${encodeURIComponent(id)}`;
  const whole = await transport.call({ path, headers: preference(options) }, { signal: options.signal, read: readWhole });
  return ready(whole, transport, options);
}

export async function resume(/** @type {import("./index").ClientOptions & { id?: string, credential?: string }} */ { id: wanted, ...options }) {
  const machine = machineOf(options);
  const given = { ...options, keep: true, remember: true };
  const keeping = await Keeping.open(given, machine);
  const id = wanted ?? await keeping.remembered();
  const kept = id && await keeping.load(id);
  if (!kept?.whole || (kept.secret === undefined && kept.creation === undefined)) return undefined;
  return reopened(keeping, machine, { ...given, id, secret: kept.secret }, kept);
}

export async function sessions(/** @type {import("./index").ClientOptions} */ options) {
  const keeping = await Keeping.open(options, machineOf(options));
  const [kept, groups] = await Promise.all([keeping.all(), keeping.groups()]);
  const stored = kept.map(({ id, at, whole: { body: { app, label } }, pending, secret, creation }) => {
    const isLocal = creation !== undefined;
    return { id, app, label, at, waiting: pending.length, isLocal, isRemembered: secret !== undefined || isLocal, isOver: false };
  });
  const others = groups.filter(({ session }) => !stored.some(({ id }) => id === session));
  // The last entry for an id has the session's newest group.
  const ended = [...new Map(others.map(({ session: id, app, label, at }) => [id, { id, app, label, at }])).values()];
  const left = ended.map((one) => ({ ...one, waiting: 0, isLocal: false, isRemembered: false, isOver: true }));
  return [...stored, ...left].sort((one, other) => other.at - one.at).map(({ label, at, ...one }) => ({
    ...one, ...(label === undefined ? {} : { label }), at: new Date(at).toISOString(),
    groups: groups.filter(({ session }) => session === one.id).map(publicGroup),
  }));
}

export async function discardGroup(/** @type {import("./index").ClientOptions & { id: string }} */ { id, ...options }) {
  const keeping = await Keeping.open(options, machineOf(options));
  await keeping.discardGroup(id);
}

/**
 * Opens a session with the content that an earlier page kept. If that content cannot be used, the service's content is read.
 * @param {Keeping} keeping @param {import("./types").Machine} machine @param {import("./index").ConnectOptions} options
 * @param {import("./types").Kept} [kept]
 */
async function reopened(keeping, machine, { id, secret, ...options }, kept) {
  const transport = new Transport({ ...options, secret }, machine);
  const given = { ...options, keeping, creator: creatorOf(options, machine) };
  if (kept?.whole === undefined) return read(transport, { ...given, id });
  return ready(kept.whole, transport, { ...given, kept });
}

function creatorOf(/** @type {import("./index").ClientOptions & { credential?: string }} */ options, machine) {
  return new Transport({ ...options, secret: options.credential }, machine);
}

export async function start(/** @type {import("./index").StartOptions} */ options) {
  const machine = machineOf(options);
  const body = Object.fromEntries(Object.entries(options).filter(([name]) => !own.includes(name) && !(name in defaults)));
  const headers = { ...keyOf(options), ...preference(options) };
  const creator = creatorOf(options, machine);
  const keeping = options.keep ? await Keeping.open(options, machine) : undefined;
  const given = { ...options, keeping, creator };
  const request = { method: "POST", path: "/v1/sessions", body, headers };
  const beginning = await beginningOf(body, keeping, options);
  const whole = beginning ? await answerNow(request, creator, options) : await creator.call(request, { signal: options.signal, read: readWhole });
  if (beginning && (whole?.body ?? beginning).definition === beginning.definition) keeping.know(beginning.definition, beginning.text);
  if (whole === undefined) return beginLocally(beginning, { keeping, machine, transport: creator, body, options: given });
  return ready(whole, new Transport({ ...options, secret: whole.body.secret }, machine), given);
}

/** The members of the body with which a session can begin without the service. */
const ofLocal = ["app", "label", "definition"];

/**
 * Resolves to the content that a session needs to begin without the service. Resolves to undefined if that content is not stored, or if only the service can
 * handle the body's members.
 * @param {{ app?: string }} body @param {Keeping | undefined} keeping @param {import("./index").ClientOptions} options
 */
async function beginningOf(body, keeping, { predict }) {
  const isFit = keeping !== undefined && predict !== false && Object.keys(body).every((name) => ofLocal.includes(name));
  return isFit ? keeping.beginning(body.app) : undefined;
}

/**
 * Resolves to the answer to a single attempt; to undefined if the service cannot be reached, or asks to wait.
 * @param {import("./types").Request} request @param {Transport} creator @param {import("./index").Limits} limits
 */
async function answerNow(request, creator, { signal }) {
  if (!creator.machine.network.isOnline) return undefined;
  return creator.once(request, { signal, read: readWhole }).catch((problem) => {
    if (problem.isPassing) return undefined;
    throw problem;
  });
}

/** Begins a session in the engine. The service creates it as soon as it can be reached. */
async function beginLocally(beginning, { keeping, machine, transport, body, options }) {
  const { definition, text, engine: path } = beginning;
  const [engine, time] = [await loadEngine(transport.baseURL, path, keeping.fetchEngine), machine.now()];
  engine.define(text);
  engine.start(time);
  const whole = { body: bodyOf(engine.view(), { ...body, id: `local-${machine.newKey()}`, definition, time }), engine: path, streams: true };
  // A new key, because a creation whose response was lost had another body.
  const creation = { key: machine.newKey(), body: { ...body, definition }, time };
  return ready(whole, new Transport(options, machine), { ...options, kept: { creation }, beginning: { ...beginning, time } });
}

/** Returns a session that only this client has, in the form of the service's sessions. */
function bodyOf({ tree, facts, accepts, revision }, { id, app, label, definition, time }) {
  const at = new Date(time).toISOString();
  return {
    id, app, definition, revision, facts, accepts, tree, pending: [], login: { status: "loggedOut" }, clock: "system", createdAt: at, updatedAt: at,
    ...(label === undefined ? {} : { label }),
  };
}

/**
 * Returns the header with the creation's key. The key must not be guessable, because a repeat of the creation returns the session's secret. Without a source of
 * such keys, the session is created without a key. If that response is lost, the next attempt creates another session, and the first session stays in the
 * service until it expires.
 */
function keyOf(/** @type {{ key?: string, newKey?: () => string }} */ { key, newKey = chance.newUUID }) {
  const chosen = key ?? newKey();
  return chosen === undefined ? {} : { "Idempotency-Key": `"${chosen}"` };
}

function preference(/** @type {{ predict?: boolean }} */ { predict }) {
  return predict ? { Prefer: "predict" } : {};
}

async function ready(/** @type {import("./types").Whole} */ whole, /** @type {Transport} */ transport, /** @type {Options} */ options) {
  const session = new Session(whole, transport, options);
  await session.attach();
  return session;
}
