import { pause } from "./machine.js";
import { lastWord } from "./problem.js";
import { readWhole } from "./transport.js";

/**
 * Has the service create a session that began without the service, as soon as the service can be reached and does not ask to wait. Resolves to the whole
 * session. Rejects with the service's refusal, or with the signal's reason.
 * @param {{ key: string, body: object }} creation the request. `onGone` is called if the service no longer has the definition, and resolves to the next request
 */
export async function create(creation, { transport, signal, onGone }) {
  for (let request = creation; ;) {
    const { key, body } = request;
    try {
      await transport.online(signal);
      const headers = { "Idempotency-Key": `"${key}"`, Prefer: "replica" };
      return await transport.call({ method: "POST", path: "/v1/sessions", body, headers }, { signal, read: readWhole });
    } catch (problem) {
      if (signal.aborted) throw problem;
      if (problem.code === "definition-gone" && body.definition !== undefined) request = await onGone(request);
      else if (problem.isPassing) await transport.rest(problem, signal);
      else throw problem;
    }
  }
}

/**
 * Calls `read` until the service responds with the session or a refusal. Resolves to the reason why the session has ended. Resolves to undefined if the session
 * was read, if the refusal does not mean that the session has ended, or if the signal is aborted.
 */
export async function readUntilAnswered(read, { transport, signal }) {
  while (!signal.aborted) {
    try {
      await transport.online(signal);
      await read();
      return undefined;
    } catch (problem) {
      if (signal.aborted || !problem.isPassing) return signal.aborted ? undefined : lastWord(problem);
      await (problem.isUnanswered ? pause(transport.machine, 1000, { signal }) : transport.rest(problem, signal)).catch(() => {});
    }
  }
  return undefined;
}
