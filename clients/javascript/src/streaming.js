import { CairnProblem } from "./problem.js";
import { EventStreamParser } from "./event-stream.js";
import { reasonOf } from "./machine.js";

/** After so long without a byte a stream is given up: the service sends a comment every 15 s. */
const silence = 45_000;

/**
 * Whether the fetch of this response gives a body piece by piece. That of React Native waits for the end, which an event stream does not have, and its
 * responses have no body. The body is not touched: with some implementations that begins to read it.
 */
export function canStream(response) {
  return "body" in response;
}

/** A connection of `Follow` over server-sent events behind the id `after()`, each heard as `onMessage(type, data, id)`. */
export function streaming({ transport, path, headers: more, after, onMessage }) {
  return async (signal, heard) => {
    const own = new AbortController();
    let reason;
    // React Native's signals do not keep their reason.
    const stop = (given) => {
      reason ??= given;
      own.abort(given);
    };
    const abort = () => stop(reasonOf(signal));
    signal.addEventListener("abort", abort);
    // A connection from before the network was lost may never report its end.
    const forget = transport.machine.network.whenOnline(() => {
      heard.isRenewed = true;
      stop(new CairnProblem({ code: "unreachable" }));
    });
    const parser = new EventStreamParser(after());
    const read = async (response, isThere) => {
      isThere();
      if (response.status === 204) return "deleted";
      heard.isLive();
      return messages(response.body.getReader(), { parser, stop, heard, onMessage, transport });
    };
    try {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": parser.lastEventId, ...more() };
      return await transport.once({ path, headers }, { signal: own.signal, read });
    } catch (problem) {
      throw reason ?? problem;
    } finally {
      forget();
      signal.removeEventListener("abort", abort);
      stop(new CairnProblem({ code: "closed" }));
    }
  };
}

async function messages(reader, { parser, stop, heard, onMessage, transport }) {
  const { timers } = transport.machine;
  for (;;) {
    const timer = timers.set(() => stop(new CairnProblem({ code: "timeout" })), silence);
    const { done, value } = await reader.read().finally(() => timers.clear(timer));
    if (done) return undefined;
    transport.hear();
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
