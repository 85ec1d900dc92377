import { CairnProblem } from "./problem.js";
import { EventStreamParser } from "./event-stream.js";
import { backoff } from "./backoff.js";
import { pause } from "./machine.js";

/** After so long without a byte a stream is given up: the service sends a comment every 15 s. */
const silence = 45_000;

/**
 * Follows a session's events, from one connection to the next. Tells `onMessage` each one, `onState` `connecting`, `live` or `offline`, and
 * `onOver` once why there will be no more.
 */
export class Follow {
  #stop = undefined;

  /** @param {{ transport, machine, path: string, after: () => number, onMessage, onState, onOver }} given */
  constructor(given) {
    Object.assign(this, given);
  }

  start() {
    if (this.#stop) return;
    this.#stop = new AbortController();
    this.#run(this.#stop.signal).catch(() => {});
  }

  stop() {
    this.#stop?.abort(new CairnProblem({ code: "closed" }));
    this.#stop = undefined;
  }

  async #run(signal) {
    for (let failures = 0; !signal.aborted; ) {
      const heard = { any: false, retry: undefined };
      this.onState("connecting");
      try {
        const end = await this.#connection(signal, heard);
        if (end !== undefined) return this.#end(signal, end);
      } catch (problem) {
        if (signal.aborted) return;
        if (problem instanceof CairnProblem && problem.status > 0 && !problem.isPassing && problem.status < 500) {
          return this.#end(signal, problem.status === 401 ? "credential" : problem.code);
        }
        if (!heard.any) heard.retry = problem.retryAfter === undefined ? undefined : problem.retryAfter * 1000;
      }
      if (signal.aborted) return;
      this.onState("offline");
      failures = heard.any ? 1 : failures + 1;
      await pause(this.machine, Math.max(heard.retry ?? 0, backoff(failures, this.machine.random)), signal);
    }
  }

  /** One connection to its end. Gives why it is the last one; undefined: another one may follow. */
  async #connection(signal, heard) {
    const after = String(this.after());
    const own = new AbortController();
    const abort = () => own.abort(signal.reason);
    signal.addEventListener("abort", abort);
    const read = async (response, isThere) => {
      isThere();
      if (response.status === 204) return "over";
      if (!response.body?.getReader) throw new CairnProblem({ code: "no-streams", status: 400, detail: "this fetch reads no streams" });
      this.onState("live");
      return this.#read(response.body.getReader(), new EventStreamParser(after), own, heard);
    };
    try {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": after };
      return await this.transport.once({ path: this.path, headers }, { signal: own.signal, read });
    } finally {
      signal.removeEventListener("abort", abort);
      own.abort(new CairnProblem({ code: "closed" }));
    }
  }

  async #read(reader, parser, own, heard) {
    const { timers } = this.machine;
    let timer;
    try {
      for (;;) {
        timer = timers.set(() => own.abort(new CairnProblem({ code: "timeout" })), silence);
        const { done, value } = await reader.read();
        timers.clear(timer);
        if (done) return undefined;
        heard.any = true;
        for (const message of parser.push(value)) {
          heard.retry = parser.retry;
          const end = this.#hear(message);
          if (end !== undefined) return end === "again" ? undefined : end;
        }
        heard.retry = parser.retry;
      }
    } finally {
      timers.clear(timer);
    }
  }

  /** A service that stops comes back, and a slow reader may try again; all else is the end. */
  #hear({ type, data, lastEventId }) {
    if (type !== "end") return void this.onMessage(type, JSON.parse(data), lastEventId);
    const { reason } = JSON.parse(data);
    return reason === "stopping" || reason === "slow" ? "again" : reason;
  }

  #end(signal, reason) {
    if (signal.aborted) return;
    this.#stop = undefined;
    this.onOver(reason);
  }
}
