import { resume, start } from "./cairn-client/index.js";

/**
 * The session of this browser: the stored one, or a new one. The client stores its id and secret in IndexedDB (`remember`). So all tabs of the browser share
 * one session, and a reload continues it, even without the service. The disadvantage: every script of this origin can read the secret until the session ends.
 * An app with a backend keeps the secret there, in a cookie that scripts cannot read.
 */
export async function openSession(service, network) {
  const options = {
    baseURL: service, keep: true, remember: true, fetch: network.fetch, network,
    onRefused: (problem) => console.warn("left by an earlier page:", problem),
  };
  return (await resume(options)) ?? start({ ...options, app: "delivery", label: "delivery-web" });
}
