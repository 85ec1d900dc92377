import { CairnProblem, connect, start } from "./cairn-client/index.js";

const name = "delivery-session";

/**
 * The session of this browser: the one that is kept, or a new one. Its id and secret are in localStorage, so that all tabs of the browser are on
 * one session and a reload goes on where it was. The price: whatever script runs on this origin can read the secret, until the session ends. With
 * sessionStorage each tab would have a session of its own; an app with a backend keeps the secret there, in a cookie that scripts cannot read.
 */
export async function openSession(service) {
  const options = { baseURL: service, predict: true, storage: window.sessionStorage, onRefused: (problem) => console.warn("left by an earlier page:", problem) };
  const kept = JSON.parse(localStorage.getItem(name) ?? "null");
  if (kept) {
    try {
      return await connect({ ...options, ...kept });
    } catch (problem) {
      if (!(problem instanceof CairnProblem) || problem.status !== 401) throw problem;
    }
  }
  const session = await start({ ...options, app: "delivery", label: "delivery-web" });
  localStorage.setItem(name, JSON.stringify({ id: session.id, secret: session.secret }));
  return session;
}

/** The next page starts a new session. */
export function forgetSession() {
  localStorage.removeItem(name);
}
