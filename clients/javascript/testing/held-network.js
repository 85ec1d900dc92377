/** A network between a client and a real service. A test holds its posts back and lets them go, or takes the network away. */
export class HeldNetwork {
  /** The posts that went to the service. */
  posts = [];
  isAway = false;
  #isHeld = false;
  #held = [];

  fetch = async (url, init = {}) => {
    if (this.isAway) throw new TypeError("fetch failed");
    if (init.method === "POST") {
      if (this.#isHeld) await new Promise((resolve) => this.#held.push(resolve));
      if (init.signal?.aborted) throw init.signal.reason;
      this.posts.push({ path: new URL(url).pathname, body: init.body && JSON.parse(init.body), headers: init.headers });
    }
    return globalThis.fetch(url, init);
  };

  hold() {
    this.#isHeld = true;
  }

  /** Lets go what is held, and all that comes later. */
  release() {
    this.#isHeld = false;
    for (const go of this.#held.splice(0)) go();
  }

  /** Lets go the posts that are held now. Later ones are held too. */
  releaseHeld() {
    for (const go of this.#held.splice(0)) go();
  }
}
