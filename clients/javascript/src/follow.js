import { CairnProblem } from "./problem.js";
import { backoff } from "./backoff.js";
import { pause } from "./machine.js";

/**
 * Follows a session over successive connections. A connection is a function that receives events until it ends. It resolves to the reason why no other
 * connection may follow, or to undefined. Calls `onState` with `connecting`, `live` or `offline`; with `offline`, the second argument is whether the service
 * could not be reached. Calls `onOver` once, with the reason why no more connections follow.
 */
export class Follow {
  /** @type {AbortController | undefined} */
  #stop;
  #transport;
  #connection;
  #onStart;
  #onState;
  #onOver;

  /** @param {import("./parts").FollowParts} given */
  constructor({ transport, connection, onStart, onState, onOver }) {
    this.#transport = transport;
    this.#connection = connection;
    this.#onStart = onStart;
    this.#onState = onState;
    this.#onOver = onOver;
  }

  start() {
    if (this.#stop) return;
    this.#stop = new AbortController();
    this.#onStart();
    this.#run(this.#stop.signal).catch(() => {});
  }

  stop() {
    this.#stop?.abort(new CairnProblem({ code: "closed" }));
    this.#stop = undefined;
  }

  async #run(signal) {
    const { machine } = this.#transport;
    for (let failures = 0; !signal.aborted; ) {
      let [isRefused, isAway] = [false, false];
      const isLive = () => {
        heard.wasLive = true;
        if (!signal.aborted) this.#onState("live");
      };
      const heard = { any: false, retry: 0, isLive, wasLive: false, isRenewed: false };
      this.#onState("connecting");
      try {
        const end = await this.#connection(signal, heard);
        if (end !== undefined) return this.#end(signal, end);
      } catch (problem) {
        const end = lastWord(problem);
        if (end !== undefined) return this.#end(signal, end);
        isRefused = problem.isUnanswered === false;
        // A connection that breaks off may only have been cut by a proxy. With `isRenewed`, it was ended here because the network is back.
        isAway = problem.isUnanswered === true && !heard.isRenewed && (!heard.wasLive || problem.code === "timeout");
        if (problem.retryAfter !== undefined) heard.retry = problem.retryAfter * 1000;
      }
      if (signal.aborted) return;
      this.#onState("offline", isAway);
      failures = heard.any ? 1 : failures + 1;
      const delay = Math.max(heard.retry, backoff(failures, machine.random));
      await (isRefused ? pause(machine, delay, { signal }) : this.#transport.sleep(delay, signal));
    }
  }

  #end(signal, reason) {
    if (signal.aborted) return;
    this.#stop = undefined;
    this.#onOver(reason);
  }
}

/** Returns the reason why no connection may follow a refused one; undefined if another attempt may succeed. */
export function lastWord(problem) {
  if (!(problem instanceof CairnProblem)) return undefined;
  if (problem.status === 401 || problem.status === 403) return "credential";
  return problem.code === "unknown-session" ? "deleted" : undefined;
}
