/** What the client needs of the machine that it runs on; each can be given in the options, so that a test holds time and chance in its hands. */
export const defaults = {
  fetch: (...given) => globalThis.fetch(...given),
  timers: {
    set: (then, milliseconds) => setTimeout(then, milliseconds),
    clear: (timer) => clearTimeout(timer),
  },
  random: () => Math.random(),
  newKey: randomKey,
  network: browserNetwork(),
};

/** The machine of these options. */
export function machineOf(options) {
  const chosen = Object.entries(options).filter(([name, value]) => name in defaults && value !== undefined);
  return { ...defaults, ...Object.fromEntries(chosen) };
}

/** Resolves after the time, or as soon as the network comes back if `untilOnline`; rejects with the signal's reason. */
export function pause(machine, milliseconds, { signal, untilOnline = false } = {}) {
  return new Promise((resolve, reject) => {
    const finish = (end, value) => {
      machine.timers.clear(timer);
      forget();
      signal?.removeEventListener("abort", abort);
      end(value);
    };
    const abort = () => finish(reject, signal.reason);
    const forget = untilOnline ? machine.network.whenOnline(() => finish(resolve)) : () => {};
    const timer = machine.timers.set(() => finish(resolve), milliseconds);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
  });
}

/** A UUID. A page over plain HTTP of another host than localhost has no `randomUUID`, but random bytes. */
function randomKey() {
  const crypto = globalThis.crypto;
  if (crypto?.randomUUID) return crypto.randomUUID();
  if (!crypto?.getRandomValues) throw new Error("no source of chance here: give `newKey`, which makes a new UUID at each call");
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}

/** What the browser knows of the network; elsewhere it is always there until a call fails. */
function browserNetwork() {
  const isBrowser = typeof globalThis.navigator?.onLine === "boolean" && typeof globalThis.addEventListener === "function";
  return {
    get isOnline() {
      return !isBrowser || globalThis.navigator.onLine;
    },
    /** Calls when the network comes back; gives what takes that back. */
    whenOnline(then) {
      if (!isBrowser) return () => {};
      globalThis.addEventListener("online", then);
      return () => globalThis.removeEventListener("online", then);
    },
  };
}
