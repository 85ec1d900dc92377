/**
 * Ties the history of a page to a session, until the returned function is called. The browser's Back posts `back`, and the service decides where that
 * leads. The history has one entry for each `back` that is possible, and the address shows the stack; both are put right after each change.
 * Forward is no gesture, and is taken back.
 *
 * `back` replaces `session.back`. `addressOf` makes the address of a snapshot. `onAddress` is called with each other address as a URL: one that
 * was typed, that of a link in the page, or that with which the page was loaded. `onProblem` receives refusals, instead of the console.
 */
export function syncHistory(session, options = {}) {
  const { back = () => session.back(), addressOf = hashOf, onAddress, onProblem = (problem) => console.warn(problem), window = globalThis.window } = options;
  const attempt = async (act) => {
    try {
      await act();
    } catch (problem) {
      onProblem(problem);
    }
  };
  const entries = new Entries({ session, window, addressOf, back: () => attempt(back), open: (url) => attempt(() => onAddress?.(url)) });
  return entries.start();
}

/** The entries of a page's history. Each has its depth in its state: the number of entries of the session below it. */
class Entries {
  #depth = 0;
  /** A traversal of its own is on its way. */
  #isMoving = false;
  #isAsked = false;
  #isOver = false;
  /** The address of another page or part of it, which is opened as soon as the history is back at the session's entry. */
  #other;

  constructor(given) {
    Object.assign(this, given);
    this.history = given.window.history;
  }

  start() {
    const moved = ({ state }) => this.#moved(state?.cairnDepth);
    let leave;
    this.window.addEventListener("popstate", moved);
    // A moment later: React's StrictMode ends the first one at once, and two would go back twice.
    queueMicrotask(() => {
      if (this.#isOver) return;
      this.#begin();
      leave = this.session.subscribe(() => this.#follow());
    });
    return () => {
      this.#isOver = true;
      this.window.removeEventListener("popstate", moved);
      leave?.();
    };
  }

  /** After a reload the entry has a depth. Otherwise the address may be that of a link, unless only the session's part of it is missing. */
  #begin() {
    const depth = this.history.state?.cairnDepth;
    const [loaded, own] = [this.#here, this.#own];
    const isOther = depth === undefined && loaded.href !== own.href && (loaded.hash !== "" || own.hash === "");
    this.#depth = depth ?? 0;
    this.#follow();
    if (isOther) this.open(loaded);
  }

  get #here() {
    return new URL(this.window.location.href);
  }

  /** The address of the session as it is. */
  get #own() {
    return new URL(this.addressOf(this.session.getSnapshot()), this.window.location.href);
  }

  /** Adds entries, or goes back over some, until there are as many as the session has, and writes the address. */
  #follow() {
    const snapshot = this.session.getSnapshot();
    if (this.#isOver || this.#isMoving || this.#isAsked) return;
    const wanted = depthOf(snapshot);
    if (wanted < this.#depth) return this.#go(wanted - this.#depth);
    const address = this.addressOf(snapshot);
    // The page's first entry has none yet. Back to it would count as another address.
    if (this.history.state?.cairnDepth === undefined) this.history.replaceState({ ...this.history.state, cairnDepth: this.#depth }, "");
    while (this.#depth < wanted) {
      this.#depth += 1;
      this.history.pushState({ cairnDepth: this.#depth }, "", address);
    }
    this.history.replaceState({ ...this.history.state, cairnDepth: this.#depth }, "", address);
  }

  #go(delta) {
    this.#isMoving = true;
    this.history.go(delta);
  }

  async #moved(depth) {
    if (depth === undefined) return this.#leftFor(this.#here);
    const before = this.#depth;
    this.#depth = depth;
    if (this.#isMoving) return this.#arrived();
    if (this.session.getSnapshot().over) return;
    this.#isAsked = true;
    await this.#back(before - depth);
    this.#isAsked = false;
    this.#follow();
  }

  /** Back over several entries ends at the first one that leads elsewhere, such as to the question of a guard. */
  async #back(count) {
    for (let left = count; left > 0; left -= 1) {
      const { tree, depth } = this.#shown;
      const isHigher = () => this.#shown.depth < depth;
      let leave;
      const shown = new Promise((resolve) => { leave = this.session.subscribe(() => isHigher() && resolve()); });
      const answered = this.back();
      // An engine shows it in the call, or in another page soon after that. Without a network the answer comes much later.
      if (this.#shown.tree === tree) await Promise.race([answered, shown]);
      leave();
      if (!isHigher()) return;
    }
  }

  get #shown() {
    const snapshot = this.session.getSnapshot();
    return { tree: snapshot.tree, depth: depthOf(snapshot) };
  }

  /** An address was typed, or a link of the page was followed. That made an entry, unless it is the address that the entry had. */
  #leftFor(url) {
    if (url.href === this.#own.href) return this.#follow();
    this.#other = url;
    this.#go(-1);
  }

  #arrived() {
    this.#isMoving = false;
    const url = this.#other;
    this.#other = undefined;
    this.#follow();
    if (url) this.open(url);
  }
}

/** The number of times that `back` leads somewhere: each screen over the first, and the first tab. */
function depthOf({ tree, stack }) {
  return stack.length - 1 + (tree.kind === "tabs" && tree.selected > 0 ? 1 : 0);
}

/** `#/restaurantList/restaurant-4` */
function hashOf({ stack }) {
  const parts = stack.map(({ screen, params = {} }) => [screen, ...Object.values(params)].map(encodeURIComponent).join("-"));
  return `#/${parts.join("/")}`;
}
