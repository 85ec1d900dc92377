import { CairnProblem } from "./problem.js";

/** The platform's source of UUIDs that cannot be guessed. `newUUID` returns undefined if the platform has no such source. */
export const chance = { newUUID: randomUUID };

/** The client's dependencies on its platform. Each can be given in the options, so that a test controls time and randomness. */
export const defaults = {
  fetch: (input, init) => globalThis.fetch(input, init),
  timers: { set: (then, milliseconds) => setTimeout(then, milliseconds), clear: (timer) => clearTimeout(timer) },
  random: () => Math.random(),
  now: () => Date.now(),
  newKey: () => chance.newUUID() ?? uniqueKey(),
  network: browserNetwork(),
  get indexedDB() { return globalThis.indexedDB; },
  get webAssembly() { return globalThis.WebAssembly; },
  /** The locks and channels with which the pages of a browser coordinate. */
  get locks() { return globalThis.navigator?.locks; },
  get channels() { return globalThis.BroadcastChannel && ((name) => new globalThis.BroadcastChannel(name)); },
};

/** @returns {import("./types").Machine} */
export function machineOf(options) {
  const chosen = Object.entries(options).filter(([name, value]) => name in defaults && value !== undefined);
  const machine = { ...defaults, ...Object.fromEntries(chosen) };
  return { ...machine, now: () => acceptedTime(machine.now()), network: networkOf(machine.network) };
}

/**
 * Returns a network as the client uses it. A given network may lack any of its members, and its `whenOnline` and `whenVisible` may return a function, an object
 * with `remove()`, or nothing. The platform may report that there is no network although the service can be reached, for example a service on the same machine.
 * In this case the network counts as available once bytes of the service have arrived.
 */
function networkOf(given) {
  const isThere = () => given.isOnline !== false;
  let isReached = false;
  return {
    get isOnline() { return isThere() || isReached; },
    /** Notes that bytes of the service have arrived. Returns whether the network counts as available from now on, and did not before. */
    noteReached() {
      const wasAway = !isThere() && !isReached;
      isReached = !isThere();
      return wasAway;
    },
    /** Notes that a request did not reach the service, or that its response broke off. */
    noteLost() {
      isReached = false;
    },
    whenOnline: sharedListener((then) => given.whenOnline?.(then)),
    whenVisible: sharedListener((then) => given.whenVisible?.(then)),
  };
}

/** Shares one registration among all listeners, so that a registration that cannot be removed is made only once. */
function sharedListener(register) {
  const listeners = new Set();
  let registration;
  let isRegistered = false;
  const release = () => {
    const remove = typeof registration === "function" ? registration : registration?.remove?.bind(registration);
    if (remove === undefined) return;
    remove();
    isRegistered = false;
  };
  return (then) => {
    if (!isRegistered) {
      isRegistered = true;
      registration = register(() => { for (const listener of [...listeners]) listener(); });
    }
    const own = () => then();
    listeners.add(own);
    return () => {
      if (listeners.delete(own) && listeners.size === 0) release();
    };
  };
}

/**
 * Resolves after the time, or earlier when one of `wakers` calls its listener. Rejects with the signal's reason.
 * @param {import("./types").Machine} machine @param {number} milliseconds @param {{ signal?: AbortSignal, wakers?: import("./types").Waker[] }} options
 * @returns {Promise<void>}
 */
export function pause(machine, milliseconds, { signal, wakers = [] } = {}) {
  return new Promise((resolve, reject) => {
    const finish = (end, value) => {
      machine.timers.clear(timer);
      for (const forget of forgets) forget();
      signal?.removeEventListener("abort", abort);
      end(value);
    };
    const abort = () => finish(reject, reasonOf(signal));
    const timer = machine.timers.set(() => finish(resolve), milliseconds);
    const forgets = wakers.map((register) => register(() => finish(resolve)));
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
  });
}

/** Returns the reason why a signal is aborted. Signals of React Native have no reason; a problem with the code `aborted` is then returned. */
export function reasonOf(signal) {
  return signal.reason ?? new CairnProblem({ code: "aborted", detail: "the caller aborted the request" });
}

/**
 * Returns a UUID that cannot be guessed; undefined if the platform has no source of such UUIDs, as in React Native without a polyfill of `crypto`. A page over
 * plain HTTP from a host other than localhost has no `randomUUID`, but has random bytes.
 */
function randomUUID() {
  const crypto = globalThis.crypto;
  if (crypto?.randomUUID) return crypto.randomUUID();
  if (!crypto?.getRandomValues) return undefined;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}

let keys = 0;

/** Returns a key that no other post of the session has. A guessable key is harmless, because only a client with the session's secret can use it. */
function uniqueKey() {
  keys += 1;
  const chance = Array.from({ length: 2 }, () => Math.random().toString(36).slice(2)).join("");
  return [Date.now().toString(36), keys.toString(36), chance].join("-");
}

/**
 * Returns a time in milliseconds since 1970 as an integer that the service accepts, from 1970 to the year 9999. The clock of a device may be set to any other
 * time.
 */
function acceptedTime(/** @type {number} */ time) {
  return Math.min(Math.max(0, Math.floor(time)), 253_402_300_799_999);
}

/** Returns the network's state in a browser; elsewhere the network counts as available until a call fails. */
function browserNetwork() {
  const isBrowser = typeof globalThis.navigator?.onLine === "boolean" && typeof globalThis.addEventListener === "function";
  return {
    get isOnline() { return !isBrowser || globalThis.navigator.onLine; },
    /** Calls `then` when the network is available again. Returns a function that removes the listener. */
    whenOnline(then) {
      if (!isBrowser) return () => {};
      globalThis.addEventListener("online", then);
      return () => globalThis.removeEventListener("online", then);
    },
    /** Calls `then` when the page is visible again, because a phone stops the timers of an invisible page. */
    whenVisible(then) {
      const page = globalThis.document;
      if (!isBrowser || page === undefined) return () => {};
      const look = () => page.visibilityState === "visible" && then();
      page.addEventListener("visibilitychange", look);
      return () => page.removeEventListener("visibilitychange", look);
    },
  };
}
