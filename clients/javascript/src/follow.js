import { CairnProblem } from "./problem.js";
import { backoff } from "./backoff.js";
import { pause } from "./machine.js";

/**
 * Follows a session over successive connections. A connection is a function that receives events until it ends. It resolves to the reason why no other
 * connection may follow, or to undefined.
 */
export class Follow {
  /** @type {AbortController | undefined} */
  #stop;
  #transport;
  #receive;
  #owner;

  /**
   * @param {import("./transport.js").Transport} transport @param {(signal: AbortSignal, heard: object) => Promise<string | undefined>} receive a connection
   * @param {import("./session/connection.js").Connection} owner
   */
  constructor(transport, receive, owner) {
    this.#transport = transport;
    this.#receive = receive;
    this.#owner = owner;
  }

  start() {
    if (this.#stop) return;
    this.#stop = new AbortController();
    this.#owner.started();
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
        if (!signal.aborted) this.#owner.changed("live");
      };
      const heard = { any: false, retry: 0, isLive, wasLive: false, isRenewed: false };
      this.#owner.changed("connecting");
      try {
        const end = await this.#receive(signal, heard);
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
      this.#owner.changed("offline", isAway);
      failures = heard.any ? 1 : failures + 1;
      const delay = Math.max(heard.retry, backoff(failures, machine.random));
      await (isRefused ? pause(machine, delay, { signal }) : this.#transport.sleep(delay, signal));
    }
  }

  #end(signal, reason) {
    if (signal.aborted) return;
    this.#stop = undefined;
    this.#owner.ended(reason);
  }
}

/** Returns the reason why no connection may follow a refused one; undefined if another attempt may succeed. */
export function lastWord(problem) {
  if (!(problem instanceof CairnProblem)) return undefined;
  if (problem.status === 401 || problem.status === 403) return "credential";
  return problem.code === "unknown-session" ? "deleted" : undefined;
}
