import { resume, start } from "./cairn-client/index.js";

/**
 * The session of this browser: the one that it remembers, or a new one. The client keeps its id and secret in IndexedDB (`remember`), so that all tabs of
 * the browser are on one session, and a reload goes on where it was, also without the service. The price: whatever script runs on this origin can read
 * the secret, until the session ends. An app with a backend keeps the secret there, in a cookie that scripts cannot read.
 */
export async function openSession(service, network) {
  const options = {
    baseURL: service, keep: true, remember: true, fetch: network.fetch, network,
    onRefused: (problem) => console.warn("left by an earlier page:", problem),
  };
  return (await resume(options)) ?? start({ ...options, app: "delivery", label: "delivery-web" });
}
