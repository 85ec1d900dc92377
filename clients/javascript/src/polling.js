import { pause } from "./machine.js";

/** A connection of `Follow` over long polls: the whole session at each change, heard as a `reset`. */
export function polling({ transport, path, after, onMessage }) {
  return async (signal, heard) => {
    for (;;) {
      const read = async (response, isThere) => {
        isThere();
        return response.status === 304 ? undefined : response.json();
      };
      const headers = { "If-None-Match": `"${after()}"` };
      const whole = await transport.once({ path: `${path}?wait=20s`, headers }, { signal, read });
      heard.any = true;
      heard.isLive();
      if (whole === undefined) await pause(transport.machine, 250, { signal });
      else onMessage("reset", whole);
    }
  };
}
