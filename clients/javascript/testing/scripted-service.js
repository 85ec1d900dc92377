/**
 * A fetch with given responses. Each call is recorded, and gets the next response. A response that is a function is called with the
 * request; an error is thrown.
 */
export class ScriptedService {
  calls = [];
  #answers = [];

  constructor(...answers) {
    this.#answers = answers;
  }

  then(...answers) {
    this.#answers.push(...answers);
  }

  fetch = async (url, init = {}) => {
    const call = { url, method: init.method, headers: init.headers, body: init.body && JSON.parse(init.body), signal: init.signal };
    this.calls.push(call);
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error(`no response is left for ${call.method} ${url}`);
    const made = typeof answer === "function" ? await answer(call) : answer;
    if (made instanceof Error) throw made;
    return made;
  };

  /** The posts, as `[body, key]`. */
  get posts() {
    return this.calls.filter((call) => call.method === "POST").map((call) => [call.body, call.headers["Idempotency-Key"]]);
  }
}

export function answer(body, status = 200, headers = {}) {
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
}

export function problem(status, code, headers = {}, more = {}) {
  return answer({ status, code, title: code, detail: `it is ${code}`, ...more }, status, headers);
}

/** Returns the error of fetch if the server cannot be reached. */
export function unreachable() {
  return new TypeError("fetch failed");
}

/** Returns no response; rejects when the call is aborted. */
export function silence(call) {
  return new Promise((_, reject) => call.signal.addEventListener("abort", () => reject(call.signal.reason)));
}

/** Returns an event stream, which the test writes piece by piece: `{ answer, write, event, close }`. */
export function stream() {
  let controller;
  const body = new ReadableStream({ start: (given) => { controller = given; } });
  const encoder = new TextEncoder();
  const write = (text) => controller.enqueue(encoder.encode(text));
  return {
    answer: (call) => {
      call.signal.addEventListener("abort", () => {
        try { controller.error(call.signal.reason); } catch { /* The stream has already ended. */ }
      });
      return new Response(body, { status: 200, headers: { "Content-Type": "text/event-stream" } });
    },
    write,
    event: (type, data, id) => write(`event: ${type}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`),
    close: () => controller.close(),
  };
}

const home = { id: "n2", kind: "screen", name: "home" };
const detail = { id: "n4", kind: "screen", name: "detail" };

/** Returns a session in the service's form. It has two tabs: `main`, which shows the screen `home`, and `other`. */
export function session(revision = 1, more = {}) {
  const main = { id: "n1", kind: "stack", name: "main", children: [home] };
  const other = { id: "n3", kind: "stack", name: "other", children: [{ id: "n5", kind: "screen", name: "list" }] };
  return {
    id: "s1", app: "shop", definition: "d", revision, facts: {}, accepts: { steps: [], primitives: [] }, pending: [],
    login: { status: "loggedOut" }, tree: { id: "n0", kind: "tabs", name: "app", selected: 0, children: [main, other] }, ...more,
  };
}

/** Returns the response, or the event, of an action that pushes `detail`. */
export function pushed(revision = 2) {
  return { outcome: "performed", revision, events: [], changes: [{ op: "push", in: "n1", node: detail }] };
}

/** Returns the members of a response that changes do not contain, and that the client has to request. */
export function details(at, more = {}) {
  return { accepts: { steps: [], primitives: ["back"] }, facts: { at }, login: { status: "loggedIn" }, pending: [], ...more };
}

/** Returns the response, or the event, of an action that pops `detail`. */
export function popped(revision = 3) {
  return { outcome: "performed", revision, events: [], changes: [{ op: "pop", in: "n1", to: "n2" }] };
}
