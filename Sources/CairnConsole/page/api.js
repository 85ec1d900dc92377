// Calls of the service. An error response is thrown as a Problem with the complete body.
import { credential, state } from "./state.js";

/** The service's base URL, which is the parent of this page's URL. So the page also works behind a proxy with a path prefix. */
const base = new URL(".", location.href);

/** An error response of the service. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? body.title ?? `the service responded with status ${status}`);
    this.status = status;
    this.body = body;
  }
}

/**
 * Returns the body, parsed if it is JSON, with status and headers. Throws a Problem for an error response.
 *
 * @typedef {{ body?: unknown, auth?: string, headers?: Record<string, string>, signal?: AbortSignal, type?: string }} Options `auth`: the credential, if any
 *
 * @param {string} method
 * @param {string} path
 * @param {Options} options
 */
export async function call(method, path, { body, auth, headers = {}, signal, type = "application/json" } = {}) {
  /** @type {Record<string, string>} */
  const sent = { Accept: "application/json", ...headers };
  if (auth) sent.Authorization = `Bearer ${auth}`;
  if (body !== undefined) sent["Content-Type"] = type;
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(address(path), { method, headers: sent, body: text, signal, credentials: "omit", cache: "no-store" });
  const raw = await answer.text();
  const json = isJSON(answer) && raw ? JSON.parse(raw) : raw;
  if (!answer.ok && answer.status !== 304) {
    const said = json && typeof json === "object" ? json : { detail: raw || answer.statusText };
    throw new Problem(answer.status, said);
  }
  return { json, status: answer.status, headers: answer.headers };
}

/** The absolute URL of a path of the API. */
export function address(path) {
  return new URL(path.replace(/^\//, ""), base);
}

/** The service's base URL without a slash at the end, for use in a command. */
export function origin() {
  return base.href.replace(/\/$/, "");
}

/** @type {(path: string, options?: Options) => ReturnType<typeof call>} */
export const get = (path, options) => call("GET", path, options);

/** The API path of a session; `rest` is appended. */
export function sessionPath(id, rest = "") {
  return `/v1/sessions/${encodeURIComponent(id)}${rest}`;
}

/** Gets a session, or with `rest` a resource below it. */
export function getSession(id, rest = "", options = {}) {
  return get(sessionPath(id, rest), { auth: credential(id), ...options });
}

/**
 * Posts to a session, up to three times if the service responds with 503 or not at all. All attempts have the same idempotency key, so the action runs only
 * once; a plan has no key. `auth`: a credential other than the usual one.
 */
export async function postSession(id, rest, body, auth = credential(id)) {
  /** @type {Record<string, string>} */
  const headers = rest.includes("plan") ? {} : { "Idempotency-Key": `"${newKey()}"` };
  for (let attempt = 1; ; attempt++) {
    try {
      return await call("POST", sessionPath(id, rest), { auth, body, headers });
    } catch (fault) {
      if (fault instanceof Problem ? fault.status !== 503 || attempt > 2 : attempt > 2) throw fault;
      await new Promise((resolve) => setTimeout(resolve, 500 * attempt));
    }
  }
}

/** A unique idempotency key. Works in an insecure context, too, because the page may be served without TLS. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The path of an app. `definition`: the hash of the version; empty for the served one. */
export function appPath(name, rest = "", definition = "", query = {}) {
  const asked = new URLSearchParams({ ...query, ...(definition ? { definition } : {}) }).toString();
  return `/v1/apps/${encodeURIComponent(name)}${rest}${asked ? `?${asked}` : ""}`;
}

/** Gets a version of an app's definition. A version given by hash is requested once and then cached; the served one is requested each time. */
export async function appOf(name, definition = "") {
  const known = definition && state.apps.get(definition);
  if (known) return known;
  const app = (await get(appPath(name, "", definition))).json;
  const listed = (values) => typeof values === "string" ? app.sets[values] : values;
  for (const fact of app.facts) fact.values = listed(fact.values);
  for (const { values } of app.steps) for (const param of Object.keys(values ?? {})) values[param] = listed(values[param]);
  state.apps.set(app.definition, app);
  return app;
}

function isJSON(answer) {
  return (answer.headers.get("Content-Type") ?? "").includes("json");
}
