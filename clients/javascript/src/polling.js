import { pause } from "./machine.js";
import { tagOf } from "./tags.js";
import { readWhole } from "./transport.js";

/**
 * Returns a function that receives events by long polls. It reports the whole session as a `reset` at each change after the receiver's position.
 * @param {import("./transport.js").Transport} transport @param {import("./session/connection.js").Connection} receiver
 */
export function polling(transport, path, receiver) {
  return async (signal, heard) => {
    for (;;) {
      const read = async (response, isThere) => {
        isThere();
        return response.status === 304 ? undefined : readWhole(response);
      };
      const known = receiver.position.id;
      const headers = { "If-None-Match": tagOf(known), ...receiver.headers };
      const whole = await transport.once({ path: `${path}?wait=20s`, headers }, { signal, read });
      heard.any = true;
      heard.isLive();
      if (whole === undefined) await pause(transport.machine, 250, { signal });
      // Without a pause this would loop at full speed behind a proxy that removes entity tags.
      else if (whole.id === known) await pause(transport.machine, 1000, { signal });
      else receiver.hear([{ type: "reset", data: whole.body, id: whole.id }]);
    }
  };
}
