/** A network between a client and a real service. A test can hold and release posts and responses, or switch the network off. */
export class HeldNetwork {
  /** The posts that were sent to the service. */
  posts = [];
  isAway = false;
  #isHeld = false;
  #held = [];
  #refusal;
  #answers;
  #read;

  fetch = async (url, init = {}) => {
    if (this.isAway) throw new TypeError("fetch failed");
    if (init.method === "POST") {
      if (this.#refusal) return this.takeRefusal()();
      if (this.#isHeld) await new Promise((resolve) => this.#held.push(resolve));
      if (init.signal?.aborted) throw init.signal.reason;
      this.posts.push({ path: new URL(url).pathname, body: init.body && JSON.parse(init.body), headers: init.headers });
    }
    const response = await globalThis.fetch(url, init);
    if (init.method === "POST") await this.#answers;
    if (init.method !== "POST" && this.#read && url.includes(this.#read.part)) await this.#hold();
    return response;
  };

  #hold() {
    const { arrive, held } = this.#read;
    this.#read = undefined;
    arrive();
    return held;
  }

  /** Holds the response to the next read of a path until `release` is called. `arrived` resolves when the service has sent the response. */
  holdRead(part) {
    let [arrive, release] = [];
    const arrived = new Promise((resolve) => { arrive = resolve; });
    const held = new Promise((resolve) => { release = resolve; });
    this.#read = { part, arrive, held };
    return { arrived, release };
  }

  /** Holds the responses to all posts from now on, until `release` is called. */
  holdAnswers() {
    let release;
    this.#answers = new Promise((resolve) => { release = resolve; });
    return { release };
  }

  hold() {
    this.#isHeld = true;
  }

  /** Gives the next post the response that `make` returns. The post does not reach the service. */
  refuseNext(make) {
    this.#refusal = make;
  }

  /** Returns the function that `refuseNext` has set, and removes it; undefined if there is none. */
  takeRefusal() {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal;
  }

  /** Releases the held posts, and stops holding posts. */
  release() {
    this.#isHeld = false;
    for (const go of this.#held.splice(0)) go();
  }

  /** Releases the posts that are held now. Later posts are still held. */
  releaseHeld() {
    for (const go of this.#held.splice(0)) go();
  }
}
