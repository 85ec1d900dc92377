import { CairnProblem } from "./problem.js";
import { EventStreamParser } from "./event-stream.js";
import { reasonOf } from "./machine.js";

/** The time without a byte after which a stream is closed, in milliseconds. The service sends a comment every 15 s. */
const silence = 45_000;

/**
 * Returns whether the fetch of this response delivers a body piece by piece. React Native's fetch waits for the end, which an event stream does not have, and
 * its responses have no body. The body itself is not read, because some implementations begin to read it when the member is accessed.
 */
export function canStream(response) {
  return "body" in response;
}

/**
 * Returns a function that receives events by server-sent events. It reports each event after the receiver's position.
 * @param {import("./transport.js").Transport} transport @param {import("./session/connection.js").Connection} receiver
 */
export function streaming(transport, path, receiver) {
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
    // When the network is back, the stream is read over a new connection, because the earlier connection may never report its end.
    const forget = transport.machine.network.whenOnline(() => {
      heard.isRenewed = true;
      stop(new CairnProblem({ code: "unreachable" }));
    });
    const parser = new EventStreamParser(receiver.position.id);
    const read = async (response, isThere) => {
      isThere();
      if (response.status === 204) return "deleted";
      heard.isLive();
      return messages(response.body.getReader(), { parser, stop, heard, receiver, transport });
    };
    try {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": parser.lastEventId, ...receiver.headers };
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

async function messages(reader, { parser, stop, heard, receiver, transport }) {
  const { timers } = transport.machine;
  for (;;) {
    const timer = timers.set(() => stop(new CairnProblem({ code: "timeout" })), silence);
    const { done, value } = await reader.read().finally(() => timers.clear(timer));
    if (done) return undefined;
    transport.hear();
    heard.any = true;
    const events = parser.push(value).map(({ type, data, lastEventId: id }) => ({ type, data: JSON.parse(data), id }));
    const end = events.findIndex(({ type }) => type === "end");
    receiver.hear(end < 0 ? events : events.slice(0, end));
    // A service that is stopping will start again, so this end is not final.
    if (end >= 0) return events[end].data.reason === "stopping" ? undefined : events[end].data.reason;
    heard.retry = parser.retry ?? 0;
  }
}
