/** A problem of the service, whose codes are listed in docs/problems.md, or of this client, with the status 0. */
export class CairnProblem extends Error {
  /** Creates a problem from an RFC 9457 body. `more` may have `retryAfter`, in seconds, and the error's `cause`. */
  constructor(body, more = {}) {
    super(body.detail ?? body.title ?? body.code, more.cause === undefined ? undefined : { cause: more.cause });
    /** @type {"CairnProblem"} */
    this.name = "CairnProblem";
    this.code = body.code ?? `http-${body.status}`;
    this.status = body.status ?? 0;
    this.detail = body.detail;
    this.accepts = body.accepts;
    this.errors = body.errors ?? [];
    this.index = body.index;
    this.revision = body.revision;
    this.retryAfter = more.retryAfter;
    this.body = body;
  }

  /** Whether the same request may be sent again, because the service did not answer it, or asked to send it later. */
  get isPassing() { return this.isUnanswered || this.status === 503 || this.status === 429; }

  /** Whether the service did not answer: no response arrived, or a gateway responded with 502 or 504 without a code of the service. */
  get isUnanswered() {
    const isOfGateway = this.code === "http-502" || this.code === "http-504";
    return this.code === "unreachable" || this.code === "timeout" || isOfGateway;
  }

  /** Resolves to the problem of a response with a status of 400 or above. */
  static async of(response) {
    const text = await response.text().catch(() => "");
    const retryAfter = secondsOf(response.headers.get("Retry-After"));
    return new CairnProblem({ status: response.status, ...parsed(text) }, { retryAfter });
  }
}

/** The default for `onNotice`: writes the notice to the console. */
export function warn(message, cause) {
  console.warn(message, cause);
}

/** Returns the problem of a post to a session that has ended. */
export function sessionOver(reason) {
  return new CairnProblem({ code: "over", detail: `the session has ended: ${reason}` });
}

/** Returns the reason why a session has ended for this client after a refusal: `credential` or `deleted`. Returns undefined for any other problem. */
export function lastWord(problem) {
  if (!(problem instanceof CairnProblem)) return undefined;
  if (problem.status === 401 || problem.status === 403) return "credential";
  return problem.code === "unknown-session" ? "deleted" : undefined;
}

/** Parses a body as JSON. A body that is not a problem, such as a page of a proxy, becomes the detail. */
function parsed(text) {
  try {
    const body = JSON.parse(text);
    if (body !== null && typeof body === "object" && !Array.isArray(body)) return body;
  } catch {
    // Not JSON: only the status is known.
  }
  return { detail: text.slice(0, 200) || undefined };
}

/** Returns the seconds of a Retry-After, which is a number of seconds or a date; undefined if it is missing or invalid. */
function secondsOf(value) {
  if (value === null) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
