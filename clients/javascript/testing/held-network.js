/** A network between a client and a real service. A test holds its posts back and lets them go, or takes the network away. */
export class HeldNetwork {
  /** The posts that went to the service. */
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

  /** The answer to the next read of a path does not arrive until `release` is called. `arrived` resolves when the service has given it. */
  holdRead(part) {
    let [arrive, release] = [];
    const arrived = new Promise((resolve) => { arrive = resolve; });
    const held = new Promise((resolve) => { release = resolve; });
    this.#read = { part, arrive, held };
    return { arrived, release };
  }

  /** From now on answers to posts do not arrive until `release` is called. */
  holdAnswers() {
    let release;
    this.#answers = new Promise((resolve) => { release = resolve; });
    return { release };
  }

  hold() {
    this.#isHeld = true;
  }

  /** The next post does not reach the service, and has this answer. */
  refuseNext(make) {
    this.#refusal = make;
  }

  /** The answer of the next post, which is not used any more; undefined: there is none. */
  takeRefusal() {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal;
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
