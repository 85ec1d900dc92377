import { CairnProblem } from "./problem.js";
import { EventStreamParser } from "./event-stream.js";

/** After so long without a byte a stream is given up: the service sends a comment every 15 s. */
const silence = 45_000;

/** Whether this machine's fetch gives a body piece by piece. React Native's waits for the end, which an event stream does not have. */
export function canStream() {
  return typeof globalThis.Response === "function" && "body" in globalThis.Response.prototype;
}

/** A connection of `Follow` over server-sent events behind the id `after()`, each heard as `onMessage(type, data, id)`. */
export function streaming({ transport, path, headers: more, after, onMessage }) {
  return async (signal, heard) => {
    const own = new AbortController();
    const abort = () => own.abort(signal.reason);
    signal.addEventListener("abort", abort);
    // A connection from before the network was lost may never report its end.
    const forget = transport.machine.network.whenOnline(() => own.abort(new CairnProblem({ code: "unreachable" })));
    const parser = new EventStreamParser(after());
    const read = async (response, isThere) => {
      isThere();
      if (response.status === 204) return "deleted";
      heard.isLive();
      return messages(response.body.getReader(), { parser, own, heard, onMessage, timers: transport.machine.timers });
    };
    try {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": parser.lastEventId, ...more };
      return await transport.once({ path, headers }, { signal: own.signal, read });
    } finally {
      forget();
      signal.removeEventListener("abort", abort);
      own.abort(new CairnProblem({ code: "closed" }));
    }
  };
}

async function messages(reader, { parser, own, heard, onMessage, timers }) {
  for (;;) {
    const timer = timers.set(() => own.abort(new CairnProblem({ code: "timeout" })), silence);
    const { done, value } = await reader.read().finally(() => timers.clear(timer));
    if (done) return undefined;
    heard.any = true;
    for (const { type, data, lastEventId } of parser.push(value)) {
      if (type === "end") return lastWord(JSON.parse(data).reason);
      onMessage(type, JSON.parse(data), lastEventId);
    }
    heard.retry = parser.retry ?? 0;
  }
}

/** A service that stops comes back, and a slow reader may try again; all else is the end. */
function lastWord(reason) {
  return reason === "stopping" || reason === "slow" ? undefined : reason;
}
