// Keeps the page and its modules, so that the page can be loaded without a network. The client itself keeps the session, the definition and the engine.
// A release that changes a file also changes this name. The browser then stores all files again, and uses them when no page shows the old ones.
const name = "inspections 1";

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(clear()));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin) event.respondWith(find(event.request));
});

/** Stores the page, and each script that it or another script names. If one of them cannot be read, the browser tries again at the next load. */
async function keep() {
  const [cache, addresses] = [await caches.open(name), new Set([new URL("./", location.href).href])];
  for (const address of addresses) {
    const response = await fetch(address, { cache: "no-cache" });
    if (!response.ok) throw new Error(`${address} has the status ${response.status}`);
    await cache.put(address, response.clone());
    for (const [, file] of (await response.text()).matchAll(/\b(?:from |import |src=)"(\.*\/?[^":]+\.js)"/g)) addresses.add(new URL(file, address).href);
  }
}

async function clear() {
  for (const other of await caches.keys()) if (other.startsWith("inspections ") && other !== name) await caches.delete(other);
}

async function find(request) {
  return (await (await caches.open(name)).match(request, { ignoreSearch: true })) ?? fetch(request);
}
