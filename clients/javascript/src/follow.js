import { CairnProblem } from "./problem.js";
import { backoff } from "./backoff.js";
import { pause } from "./machine.js";

/**
 * Follows a session over successive connections. A connection is a function that reports what happens until it ends; it resolves to the reason why it is the
 * last one, or to undefined. Calls `onState` with `connecting`, `live` or `offline` (and then with whether the service was not reached), and `onOver` once with
 * the reason why there are no more connections.
 */
export class Follow {
  #stop = undefined;

  /** @param {{ transport, connection, onStart, onState, onOver }} given `onStart`: called before the first connection of a new start */
  constructor(given) {
    Object.assign(this, given);
  }

  start() {
    if (this.#stop) return;
    this.#stop = new AbortController();
    this.onStart();
    this.#run(this.#stop.signal).catch(() => {});
  }

  stop() {
    this.#stop?.abort(new CairnProblem({ code: "closed" }));
    this.#stop = undefined;
  }

  async #run(signal) {
    const { machine } = this.transport;
    for (let failures = 0; !signal.aborted; ) {
      let [isRefused, isAway] = [false, false];
      const isLive = () => {
        heard.wasLive = true;
        if (!signal.aborted) this.onState("live");
      };
      const heard = { any: false, retry: 0, isLive, wasLive: false, isRenewed: false };
      this.onState("connecting");
      try {
        const end = await this.connection(signal, heard);
        if (end !== undefined) return this.#end(signal, end);
      } catch (problem) {
        const end = lastWord(problem);
        if (end !== undefined) return this.#end(signal, end);
        isRefused = problem.isUnanswered === false;
        // A connection that breaks off may only have been cut by a proxy, and one is renewed when the network is back.
        isAway = problem.isUnanswered === true && !heard.isRenewed && (!heard.wasLive || problem.code === "timeout");
        if (problem.retryAfter !== undefined) heard.retry = problem.retryAfter * 1000;
      }
      if (signal.aborted) return;
      this.onState("offline", isAway);
      failures = heard.any ? 1 : failures + 1;
      const delay = Math.max(heard.retry, backoff(failures, machine.random));
      await (isRefused ? pause(machine, delay, { signal }) : this.transport.sleep(delay, signal));
    }
  }

  #end(signal, reason) {
    if (signal.aborted) return;
    this.#stop = undefined;
    this.onOver(reason);
  }
}

/** Returns the reason why a refused connection is the last one; undefined if another one may succeed. */
export function lastWord(problem) {
  if (!(problem instanceof CairnProblem)) return undefined;
  if (problem.status === 401 || problem.status === 403) return "credential";
  return problem.code === "unknown-session" ? "deleted" : undefined;
}
