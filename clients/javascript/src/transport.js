import { CairnProblem } from "./problem.js";
import { delayAfter } from "./backoff.js";
import { pause, reasonOf } from "./machine.js";
import { canStream } from "./streaming.js";
import { eventIdOf } from "./tags.js";

/** Calls one service with one credential. */
export class Transport {
  #sleepers = new Set();

  /** @param {{ baseURL: string | URL, secret?: string, timeout?: number, attempts?: number }} options @param {import("./types").Machine} machine */
  constructor({ baseURL, secret, timeout = 30_000, attempts = 14 }, machine) {
    this.baseURL = checked(baseURL);
    this.secret = secret;
    this.timeout = timeout;
    this.attempts = attempts;
    this.machine = machine;
  }

  /**
   * Makes one attempt. Resolves to the result of `read` for the response. Throws a `CairnProblem` for everything but success, and the signal's reason if the
   * signal is aborted. For a stream, the timeout applies only until the headers arrive.
   * @param {import("./types").Request} request @param {import("./types").CallOptions} options
   */
  async once({ method = "GET", path, body, headers = {} }, { signal, read = json } = {}) {
    const attempt = new AbortController();
    const abort = () => attempt.abort(reasonOf(signal));
    if (signal?.aborted) throw reasonOf(signal);
    signal?.addEventListener("abort", abort);
    const late = new CairnProblem({ code: "timeout", detail: `the service did not respond within ${this.timeout} ms` });
    const timer = this.machine.timers.set(() => attempt.abort(late), this.timeout);
    try {
      const response = await this.machine.fetch(this.baseURL + path, {
        method, signal: attempt.signal, headers: this.#heads(body, headers), body: body === undefined ? undefined : JSON.stringify(body),
        credentials: "omit",
      });
      if (response.status < 500) {
        this.machine.network.noteReached();
        this.#wake();
      }
      if (response.status >= 400) throw await CairnProblem.of(response);
      return await read(response, () => this.machine.timers.clear(timer));
    } catch (cause) {
      if (signal?.aborted) throw reasonOf(signal);
      if (cause instanceof CairnProblem) throw cause;
      this.machine.network.noteLost();
      if (attempt.signal.aborted) throw late;
      throw new CairnProblem({ code: "unreachable", detail: `${this.baseURL} cannot be reached` }, { cause });
    } finally {
      this.machine.timers.clear(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /**
   * Calls `once` again while the problem is temporary, up to the number of attempts. `before` is awaited before each attempt, and `onTrouble` is called with
   * each temporary problem. If `isAway()` returns true after an attempt without a response, throws the problem, so that the caller can wait for the network.
   * @param {import("./types").Request} request @param {import("./types").CallOptions} options
   */
  async call(request, { signal, onTrouble, read, before, isAway = () => false } = {}) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (before) await before();
        return await this.once(request, { signal, read });
      } catch (problem) {
        if (!(problem instanceof CairnProblem) || !problem.isPassing || attempt >= this.attempts) throw problem;
        onTrouble?.(problem);
        if (problem.isUnanswered && isAway()) throw problem;
        await this.#wait(problem, delayAfter(problem, attempt, this.machine.random), signal);
      }
    }
  }

  /** Waits after the last attempt, for a caller that then starts over. The wait lasts for the time in Retry-After; without that field, a minute. */
  rest(problem, signal) {
    return this.#wait(problem, problem.retryAfter === undefined ? 60_000 : delayAfter(problem, 1, this.machine.random), signal);
  }

  /** Waits before the next attempt. The wait may end early if the service was not reached, but not if the service asked to wait. */
  #wait(problem, milliseconds, signal) {
    return problem.isUnanswered ? this.sleep(milliseconds, signal) : pause(this.machine, milliseconds, { signal });
  }

  /** Waits for a service that could not be reached, until the time has passed, another call reaches it, the network is back, or the page is visible. */
  sleep(milliseconds, signal) {
    const { network } = this.machine;
    return pause(this.machine, milliseconds, { signal, wakers: [network.whenOnline, network.whenVisible, (then) => this.#whenReached(then)] });
  }

  /** Resolves as soon as the machine has a network. Calls `onAway` before each wait. */
  async online(signal, onAway = () => {}) {
    while (!this.machine.network.isOnline) {
      onAway();
      await this.sleep(60_000, signal);
    }
  }

  /** Notes that a part of a stream has arrived. If the platform wrongly reports that there is no network, calls that wait for the network then continue. */
  hear() {
    if (this.machine.network.noteReached()) this.#wake();
  }

  #whenReached(then) {
    this.#sleepers.add(then);
    return () => this.#sleepers.delete(then);
  }

  #wake() {
    for (const then of [...this.#sleepers]) then();
  }

  #heads(body, headers) {
    return {
      Accept: "application/json",
      ...(this.secret === undefined ? {} : { Authorization: `Bearer ${this.secret}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    };
  }
}

/**
 * Returns the address without slashes at its end. Throws if it is missing or invalid, because requests to such an address would fail as if there was no
 * network.
 */
function checked(baseURL) {
  if (baseURL === undefined || baseURL === null) {
    throw new TypeError('`baseURL` is missing: give the address of the service, such as "http://127.0.0.1:8080"');
  }
  const text = String(baseURL);
  let protocol;
  try {
    // A page may give a path of its own origin.
    protocol = protocolOf(new URL(text, globalThis.location?.href), text);
  } catch {
    protocol = undefined;
  }
  if (protocol !== "http:" && protocol !== "https:") throw new TypeError(`\`baseURL\` must be an http or https URL, not "${text.slice(0, 100)}"`);
  return text.replace(/\/+$/, "");
}

/** Returns an address's protocol; undefined if the address has none. In some versions of React Native a URL can be created, but its members cannot be read. */
function protocolOf(url, text) {
  try {
    return url.protocol;
  } catch {
    return /^https?:(?=\/\/[^/])/i.exec(text)?.[0].toLowerCase();
  }
}

/**
 * Resolves to a session that was read: its body, the id of its newest event, whether its events can be read as a stream, the path of the engine, and the key
 * for sealed values. The path is undefined if no engine predicts the session's actions, and the key is undefined if the app has no secrets.
 */
export async function readWhole(response) {
  const body = await response.json();
  const [engine, sealingKey] = ["Cairn-Engine", "Cairn-Sealing-Key"].map((name) => response.headers.get(name) ?? undefined);
  return { body, id: eventIdOf(response, body), streams: canStream(response), engine, sealingKey };
}

/** Resolves to a response's body; to undefined if the body is empty. Throws if the body breaks off, as if no response had arrived. */
async function json(/** @type {Response} */ response) {
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
}
