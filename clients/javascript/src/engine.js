import { CairnProblem } from "./problem.js";

/** @type {Map<string, Promise<WebAssembly.Module>>} the compiled modules by their addresses, shared by all sessions of a page */
const modules = new Map();

/**
 * Loads an instance of the engine at a path of the service. Rejects if it cannot be read or compiled, for example because the page's policy lacks
 * `wasm-unsafe-eval`. If `isUnanswered` of the problem is true, a later attempt may succeed.
 */
export async function loadEngine(baseURL, path, fetch) {
  const address = baseURL + path;
  if (!modules.has(address)) modules.set(address, bytesOf(address, fetch).then((bytes) => WebAssembly.compile(bytes)));
  try {
    return new Engine((await WebAssembly.instantiate(await modules.get(address), {})).exports);
  } catch (problem) {
    // The failed module is not cached, so that another session can load it again.
    modules.delete(address);
    throw problem;
  }
}

async function bytesOf(address, fetch) {
  let response;
  try {
    response = await fetch(address, { credentials: "omit" });
    if (response.ok) return await response.arrayBuffer();
  } catch (cause) {
    throw passing(`${address} cannot be reached`, cause);
  }
  const detail = `the request for the engine, ${address}, failed with status ${response.status}`;
  throw response.status >= 500 || response.status === 429 ? passing(detail) : new Error(detail);
}

function passing(detail, cause) {
  return new CairnProblem({ code: "unreachable", detail }, { cause });
}

/** The functions of the engine (docs/engine.md), for one session. Each throws if it fails. The instance must not be used after a trap. */
export class Engine {
  // Not created when the module is loaded, because some versions of React Native have no TextDecoder.
  #encoder = new TextEncoder();
  #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #exports;

  constructor(exports) {
    this.#exports = exports;
  }

  /** The versions of the engine's formats: `{ definition, engine, state }`. */
  get formats() { return this.#json("formats"); }

  /** Sets the definition for the next `begin` or `start`. */
  define(definition) {
    this.#call("define", definition);
  }

  /** Begins with a state and no pending actions. */
  begin(state) {
    this.#call("begin", state);
  }

  /** Begins a session that the service has not created yet. `time` is in milliseconds since 1970. */
  start(time) {
    this.#call("start", "", time);
  }

  /**
   * Runs an action, given as JSON. Returns `{ created }`, the ids of the created nodes, if the effect is shown. Otherwise returns `{ reason }` and, if the
   * engine refuses the action, the message in `refusal`.
   */
  predict(number, time, action, seen = 0) {
    return this.#json("predict", action, number, time, seen);
  }

  /** Returns the covers over the pages on which the pending actions were made, as a text for `setCovers` of another page's engine. */
  covers() {
    return this.#call("covers");
  }

  setCovers(text) {
    this.#call("setCovers", text);
  }

  /**
   * Runs the steps that wait for an unpredictable action. Like `confirm` and `adopt`, returns an update, whose `renamed` maps the old ids of nodes to the new
   * ones.
   */
  proceed() {
    return this.#json("proceed");
  }

  /** Applies reports of the service. Each has the number of this client's action, or 0, and the entry's difference if there is an entry. */
  confirm(reports) {
    return this.#json("confirm", reports.map(({ number, difference }) => (difference === undefined ? `${number}` : `${number} ${difference}`)).join("\n"));
  }

  /** Replaces the confirmed state by a state that contains this client's actions up to the number `last`. */
  adopt(last, state) {
    return this.#json("adopt", state, last);
  }

  /** Returns the number of the action that creates a node, and the node's index, as `{ action, node }`; undefined for a confirmed node. */
  origin(id) {
    const origin = this.#json("origin", id);
    return origin.action === undefined ? undefined : origin;
  }

  /** Returns the next tick of a timer that a pending action has started, as `{ due, node, send }`; undefined if there is none. */
  tick() {
    const tick = this.#json("tick");
    return tick.due === undefined ? undefined : tick;
  }

  /** Returns the shown session: `accepts`, `facts`, `tree` and more. */
  view() {
    return this.#json("view");
  }

  #json(...given) {
    return JSON.parse(this.#call(...given));
  }

  #call(name, text = "", ...numbers) {
    const engine = this.#exports;
    const input = this.#encoder.encode(text);
    const place = engine.input(input.length);
    new Uint8Array(engine.memory.buffer, place, input.length).set(input);
    const count = engine[name](...numbers);
    const output = this.#decoder.decode(new Uint8Array(engine.memory.buffer, engine.output(), Math.abs(count)));
    if (count < 0) throw new Error(`${name}: ${output}`);
    return output;
  }
}
