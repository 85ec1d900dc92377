import { h } from "./dom.js";

const name = "delivery-network";
const speeds = { fast: 0, slow: 300, off: undefined };
const labels = { fast: "fast", slow: "300 ms", off: "off" };

/**
 * The client's network, with the speed that the user of this example selects. It simulates a phone's network: `fetch` and `network` are options of the client.
 * The choice survives a reload of the tab.
 */
export class Network {
  #kind = sessionStorage.getItem(name) ?? "fast";
  #running = new Set();
  #whenOnline = new Set();

  get isOnline() {
    return this.#kind !== "off" && navigator.onLine;
  }

  whenOnline = (then) => {
    this.#whenOnline.add(then);
    addEventListener("online", then);
    return () => {
      this.#whenOnline.delete(then);
      removeEventListener("online", then);
    };
  };

  /** A fetch that takes one round trip longer, or fails while the network is switched off. */
  fetch = async (url, options = {}) => {
    const stop = new AbortController();
    this.#running.add(stop);
    options.signal?.addEventListener("abort", () => stop.abort(options.signal.reason));
    await this.#pause();
    const response = await fetch(url, { ...options, signal: stop.signal });
    await this.#pause();
    // A stream remains in the list, because switching the network off must end its body.
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) this.#running.delete(stop);
    return response;
  };

  async #pause() {
    const half = speeds[this.#kind] / 2;
    if (half > 0) await new Promise((then) => setTimeout(then, half));
    if (this.#kind === "off") throw new TypeError("the network is switched off");
  }

  #choose(kind) {
    this.#kind = kind;
    sessionStorage.setItem(name, kind);
    if (kind === "off") {
      for (const stop of this.#running) stop.abort(new TypeError("the network is switched off"));
      this.#running.clear();
    } else {
      for (const then of [...this.#whenOnline]) then();
    }
  }

  /** Draws the control that switches the network. */
  draw(place) {
    const choices = Object.keys(speeds).map((kind) => h("label", {},
      h("input", { type: "radio", name: "network", value: kind, checked: kind === this.#kind, onchange: () => this.#choose(kind) }), labels[kind]));
    place.replaceChildren(h("fieldset", {}, h("legend", {}, "Network"), ...choices));
  }
}
