import { CairnProblem } from "./problem.js";
import { delayAfter } from "./backoff.js";
import { pause } from "./machine.js";

/** Calls of one service under one credential. */
export class Transport {
  /** @param {{ baseURL: string, secret?: string, timeout?: number, attempts?: number }} options */
  constructor({ baseURL, secret, timeout = 30_000, attempts = 8 }, machine) {
    this.baseURL = String(baseURL).replace(/\/+$/, "");
    this.secret = secret;
    this.timeout = timeout;
    this.attempts = attempts;
    this.machine = machine;
  }

  /**
   * What `read` makes of the answer of one attempt. Throws a `CairnProblem` for all that is no success, and the signal's reason if that is
   * aborted. Of a stream the time is up with its head.
   */
  async once({ method = "GET", path, body, headers = {} }, { signal, read = json } = {}) {
    const attempt = new AbortController();
    const abort = () => attempt.abort(signal.reason);
    if (signal?.aborted) throw signal.reason;
    signal?.addEventListener("abort", abort);
    const late = new CairnProblem({ code: "timeout", detail: `no answer within ${this.timeout} ms` });
    const timer = this.machine.timers.set(() => attempt.abort(late), this.timeout);
    try {
      const response = await this.machine.fetch(this.baseURL + path, {
        method, signal: attempt.signal, headers: this.#heads(body, headers), body: body === undefined ? undefined : JSON.stringify(body),
        credentials: "omit",
      });
      if (response.status >= 400) throw await CairnProblem.of(response);
      return await read(response, () => this.machine.timers.clear(timer));
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (cause instanceof CairnProblem) throw cause;
      if (attempt.signal.aborted) throw late;
      throw new CairnProblem({ code: "unreachable", detail: `${this.baseURL} cannot be reached` }, { cause });
    } finally {
      this.machine.timers.clear(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** As `once`, tried again while the problem passes, and up to as many times as there are attempts. */
  async call(request, { signal, onTrouble } = {}) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.once(request, { signal });
      } catch (problem) {
        if (!(problem instanceof CairnProblem) || !problem.isPassing || attempt >= this.attempts) throw problem;
        onTrouble?.(problem);
        await pause(this.machine, delayAfter(problem, attempt, this.machine.random), { signal, untilOnline: problem.status === 0 });
      }
    }
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

/** A body; undefined: there is none. One that breaks off was not heard. */
async function json(response) {
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
}
