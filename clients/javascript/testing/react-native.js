/**
 * Makes this process similar to React Native without polyfills, until the test ends. There is no `crypto` and no `structuredClone`, abort
 * signals have no reason, and `URL.protocol` throws an error.
 */
export function becomeReactNative(test) {
  replace(test, "crypto", undefined);
  replace(test, "structuredClone", undefined);
  replace(test, "AbortController", Controller);
  replace(test, "URL", class { get protocol() { throw new Error("URL.protocol is not implemented"); } });
}

/** Returns the response without the member `body`, as React Native's own fetch does. */
export function bodiless(response) {
  const { status, ok, headers } = response;
  return { status, ok, headers, text: () => response.text(), json: () => response.json() };
}

class Controller {
  signal = Object.assign(new EventTarget(), { aborted: false });

  abort() {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    this.signal.dispatchEvent(new Event("abort"));
  }
}

function replace(test, name, value) {
  const own = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  test.after(() => (own === undefined ? delete globalThis[name] : Object.defineProperty(globalThis, name, own)));
}
