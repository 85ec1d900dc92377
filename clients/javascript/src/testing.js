import { nodesBelow } from "./play.js";
import { sketch } from "./sketch.js";
import { start } from "./starting.js";

/** @typedef {import("./testing").ScenarioStep} Step @typedef {import("./testing").Occurrence} Occurrence */
/** @typedef {import("./testing").Expectation} Expectation @typedef {import("./testing").OfflineScenario} OfflineScenario */

export { sketch };

/** The actions that a scenario names by one word; every other word is a step. */
const words = new Set(["back", "pop", "popToRoot", "dismiss", "logout"]);

/** The members of an expectation that this kit can check. */
const checked = ["tree", "stack", "visible", "facts", "refused"];

/** The error of a scenario whose results differ from the expected ones. */
export class ScenarioDifference extends Error {
  name = "ScenarioDifference";

  constructor(/** @type {string} */ place, /** @type {string[]} */ differences) {
    super(`${place}\n${differences.join("\n")}`);
    this.differences = differences;
  }
}

/** Runs a scenario with a client that loses its network, against a running service; `testing.d.ts` describes it. */
export async function runOffline(/** @type {OfflineScenario} */ { baseURL, app, key, scenarios = [], client = {}, within = 10_000, ...scenario }) {
  const { given, steps } = wholeOf(scenario, scenarios);
  const network = new Network(client.fetch ?? globalThis.fetch);
  /** @type {any} */
  const session = await start({
    baseURL, app, credential: key, clock: given.at ?? "manual", requests: "manual", ...withoutAt(given), ...client, fetch: network.fetch, network,
  });
  const run = new Run(session, { network, within, office: new Office(session, { baseURL, key, fetch: network.beside }) });
  try {
    await run.begin();
    for (const [index, step] of steps.entries()) await run.play(step, scenario.name ?? `step ${index + 1}`);
    return { tree: run.tree, refused: run.refused };
  } finally {
    run.end();
    await session.end().catch(() => {});
  }
}

/** Returns the start and the steps of a scenario. With `given: { after }`, the start and the first steps are those of the named scenario. */
function wholeOf(/** @type {import("./testing").Scenario} */ { given = {}, ...scenario }, scenarios) {
  const steps = scenario.steps ?? [scenario];
  if (given.after === undefined) return { given, steps };
  const before = scenarios.find(({ name }) => name === given.after);
  if (before === undefined) throw new TypeError(`\`scenarios\` has no scenario ${JSON.stringify(given.after)}`);
  const whole = wholeOf(before, scenarios);
  return { given: whole.given, steps: [...whole.steps, ...steps] };
}

function withoutAt({ at: _, ...given }) {
  return given;
}

/** A network with a switch. Without the network, requests fail, and so do the streams that are open. */
class Network {
  isOnline = true;
  #waiting = new Set();
  #running = new Set();

  constructor(/** @type {typeof fetch} */ beside) {
    this.beside = beside;
  }

  fetch = async (/** @type {RequestInfo | URL} */ url, /** @type {RequestInit} */ init = {}) => {
    if (!this.isOnline) throw new TypeError("there is no network");
    const request = new AbortController();
    this.#running.add(request);
    init.signal?.addEventListener("abort", () => request.abort(init.signal.reason));
    if (init.signal?.aborted) request.abort(init.signal.reason);
    return this.beside(url, { ...init, signal: request.signal });
  };

  whenOnline(then) {
    this.#waiting.add(then);
    return () => this.#waiting.delete(then);
  }

  lose() {
    this.isOnline = false;
    for (const request of this.#running) request.abort(new TypeError("there is no network"));
    this.#running.clear();
  }

  restore() {
    this.isOnline = true;
    for (const then of [...this.#waiting]) then();
  }
}

/** The events of a scenario that reach the service without the client: from an operator, a notification, or a timer that is due. */
class Office {
  #address;
  #headers;
  #fetch;

  constructor(session, { baseURL, key, fetch }) {
    this.#address = `${String(baseURL).replace(/\/+$/, "")}${session.path}`;
    this.#headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    this.#fetch = fetch;
  }

  /** Resolves to the session as the service has it. */
  async read() {
    return (await this.#call("GET", "")).body;
  }

  /** Posts an event. Resolves to the code of its refusal, or to "nothing". `named` replaces the names of nodes by their ids. */
  async act(/** @type {Occurrence} */ occurrence, named) {
    const { status, body } = await this.#call("POST", ...requestOf(occurrence, named));
    return status < 300 ? "nothing" : body.code;
  }

  async #call(method, path, body = undefined) {
    const response = await this.#fetch(this.#address + path, { method, headers: this.#headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return { status: response.status, body: await response.json() };
  }
}

/** Returns the path and the body with which an event is posted. */
function requestOf(occurrence, named) {
  const action = actionOf(occurrence);
  if (Array.isArray(action)) return ["/actions", action.map(named)];
  const { notification: payload, tap = true, state = "background", ...answer } = action;
  if (payload !== undefined) return [`/notifications?tap=${tap}&state=${state}`, Object.keys(answer).length === 0 ? payload : { payload, ...answer }];
  return ["/actions", named(action)];
}

/** Returns an element of `when`, `offline` or `meanwhile` as an action of the API, a notification, or an array of actions. */
function actionOf(/** @type {any} */ occurrence) {
  if (typeof occurrence === "string") return words.has(occurrence) ? { type: occurrence } : { step: occurrence };
  if (Array.isArray(occurrence)) return occurrence.map(actionOf);
  const { open, advance, facts, appState, cancel, loaded, failed, effect, ...action } = occurrence;
  if (open !== undefined) return { type: "open", url: open };
  if (advance !== undefined) return { type: "advance", by: advance };
  if (facts !== undefined) return { type: "facts", set: facts };
  if (appState !== undefined) return { type: "appState", state: appState };
  if (cancel !== undefined) return { type: "cancel", id: cancel };
  const of = effect === undefined ? {} : { effect };
  if (loaded !== undefined) return { type: "answer", loaded, ...of };
  if (failed !== undefined) return { type: "answer", failed, ...of };
  if (["step", "type", "notification"].some((name) => action[name] !== undefined)) return action;
  throw new TypeError(`${JSON.stringify(occurrence)} is no event that this kit can post; use \`cairn test --against\` for it`);
}

/** A running scenario. */
class Run {
  /** @type {string[]} the actions of the user that were refused in the last step, each as `ACTION CODE` */
  refused = [];
  #session;
  #network;
  #office;
  #within;
  #leave = () => {};
  /** The newest node of each name, including nodes that were removed. */
  #ids = new Map();

  constructor(/** @type {import("./index").Session} */ session, { network, office, within }) {
    this.#session = session;
    this.#network = network;
    this.#office = office;
    this.#within = within;
  }

  /** The tree that the client shows, in one line. */
  get tree() { return sketch(/** @type {any} */ (this.#session.tree)); }

  /** Follows the session, and waits until the client predicts. */
  async begin() {
    this.#leave = this.#session.subscribe(() => this.#note());
    this.#note();
    const isReady = ({ predicts, connection }) => predicts && connection === "live";
    await this.#until("the client has loaded the engine, which the service has to serve for this app", isReady);
  }

  end() {
    this.#leave();
    this.#network.restore();
  }

  async play(/** @type {Step} */ { when = [], then, offline, meanwhile = [], online }, place) {
    if (offline !== undefined) {
      await this.#away(listOf(offline), listOf(meanwhile), place);
      return this.#compare(online, { refused: this.refused }, `${place}, online`);
    }
    let refused = "nothing";
    for (const occurrence of listOf(when)) {
      if (refused !== "nothing") throw new ScenarioDifference(place, [`refused: an event before the last one is refused (${refused})`]);
      refused = await this.#office.act(occurrence, this.#named);
    }
    await this.#meet();
    if (then !== undefined) this.#compare(then, { refused }, place);
  }

  /** Performs the actions of the user without a network, then the events of `meanwhile`. Then the actions of the user reach the service. */
  async #away(taps, meanwhile, place) {
    this.#network.lose();
    const acted = [];
    for (const tap of taps) acted.push(await this.#tap(tap, place));
    for (const occurrence of meanwhile) {
      const code = await this.#office.act(occurrence, this.#named);
      if (code !== "nothing") throw new ScenarioDifference(`${place}, meanwhile`, [`${nameOf(actionOf(occurrence))}: refused (${code})`]);
    }
    this.#network.restore();
    await this.#until("the client has sent its actions", ({ waiting }) => waiting === 0);
    this.refused = (await Promise.all(acted.map(({ refusal }) => refusal))).filter((text) => text !== undefined);
    await this.#meet();
  }

  /**
   * Posts an action of the user. `refusal` resolves to the refusal as `ACTION CODE`, or to undefined if the action is performed. Throws if the client refuses
   * the action without a network.
   */
  async #tap(occurrence, place) {
    const action = this.#named(actionOf(occurrence));
    const name = nameOf(action);
    const posted = this.#post(action).then(
      ({ outcome, reason }) => ({ isRefused: outcome === "stale", code: reason ?? "stale" }),
      (problem) => ({ isRefused: true, code: problem.code ?? problem.message }),
    );
    // A refusal of the client itself does not wait for the network.
    const early = await Promise.race([posted, new Promise((resolve) => { setTimeout(() => resolve({ isRefused: false }), 0); })]);
    if (early.isRefused) throw new ScenarioDifference(`${place}, offline`, [`${name}: the client refuses it without a network (${early.code})`]);
    return { refusal: posted.then(({ isRefused, code }) => (isRefused ? `${name} ${code}` : undefined)) };
  }

  /** @returns {Promise<any>} */
  #post(/** @type {any} */ { step, params, from, ...action }) {
    if (step !== undefined) return this.#session.step(step, params, from === undefined ? {} : { from });
    return this.#session.act(from === undefined ? action : { ...action, from });
  }

  #note() {
    for (const [id, { name }] of nodesBelow(this.#session.tree)) this.#ids.set(name, id);
  }

  /** Returns an action in which `from` and `node` are ids instead of names. */
  #named = (action) => {
    const named = { ...action };
    for (const member of ["from", "node"]) if (this.#ids.has(named[member])) named[member] = this.#ids.get(named[member]);
    return named;
  };

  /** Waits until the client shows the newest revision of the service. */
  async #meet() {
    const { revision } = await this.#office.read();
    await this.#until(`the client shows revision ${revision}`, (snapshot) => snapshot.revision >= revision);
  }

  /** Compares the session that the client shows with an expectation. */
  #compare(/** @type {Expectation} */ expected, { refused }, place) {
    const unknown = Object.keys(expected).filter((name) => !checked.includes(name));
    if (unknown.length > 0) throw new TypeError(`${place}: this kit does not check \`${unknown.join("`, `")}\`; use \`cairn test --against\` for it`);
    const { stack, visible, facts } = this.#session;
    const found = { refused, tree: this.tree, stack: stack.map(({ screen }) => screen), visible: visible?.screen ?? "nothing", facts };
    const isQueue = Array.isArray(refused);
    const wanted = { refused: isQueue ? [] : "nothing", ...expected };
    const differences = [];
    const compare = (name, one, other) => {
      if (compact(one) !== compact(other)) differences.push(`${name}: expected ${compact(one)}`, `${" ".repeat(name.length)}  found    ${compact(other)}`);
    };
    for (const name of ["refused", "tree", "stack", "visible"]) if (wanted[name] !== undefined) compare(name, wanted[name], found[name]);
    for (const [name, value] of Object.entries(expected.facts ?? {})) compare(`fact ${name}`, value, found.facts[name] ?? null);
    if (differences.length > 0) throw new ScenarioDifference(place, differences);
  }

  /** Resolves when the snapshot meets a condition; rejects after the time limit. */
  #until(what, isMet) {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!isMet(this.#session.getSnapshot())) return;
        clearTimeout(late);
        leave();
        resolve(undefined);
      };
      const late = setTimeout(() => {
        leave();
        reject(new Error(`after ${this.#within} ms it is still not true that ${what}; the client shows ${this.tree}`));
      }, this.#within);
      const leave = this.#session.subscribe(look);
      look();
    });
  }
}

function listOf(given) {
  return Array.isArray(given) ? given : [given];
}

function nameOf(action) {
  return action.step ?? action.type ?? "notification";
}

function compact(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
