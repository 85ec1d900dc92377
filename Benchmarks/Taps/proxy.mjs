// Proxies that delay: each byte arrives after half of the round trip, in each direction. As a program, it runs until its input ends.
// usage: node proxy.mjs DELAY_MS URL…   prints the addresses of the proxies, as JSON
import { connect, createServer } from "node:net";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A proxy on a free port. */
export function proxy(service, roundTrip) {
  const target = new URL(service);
  const sockets = new Set();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [[near, far], [far, near]]) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on("data", (bytes) => setTimeout(() => to.writable && to.write(bytes), roundTrip / 2));
      from.on("close", () => {
        sockets.delete(from);
        setTimeout(() => to.destroy(), roundTrip / 2);
      });
      from.on("error", () => to.destroy());
    }
  });
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return new Promise((then) => server.listen(0, "127.0.0.1", () => then({ url: `http://127.0.0.1:${server.address().port}`, close })));
}

if (fileURLToPath(import.meta.url) === resolve(process.argv[1])) {
  const [roundTrip, ...services] = process.argv.slice(2);
  const proxies = await Promise.all(services.map((service) => proxy(service, Number(roundTrip))));
  console.log(JSON.stringify(proxies.map(({ url }) => url)));
  process.stdin.resume().once("end", () => process.exit());
}
