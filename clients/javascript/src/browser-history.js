import { Backs, popFor } from "./backs.js";

/** @typedef {import("./session.js").Session} Session */

/**
 * Implements `syncHistory` of browser-history.d.ts. Forward is undone, because it is not a gesture. An address contains a param only if a link names it,
 * because browsers store visited addresses.
 */
export function syncHistory(session, options = {}) {
  const { back = () => session.back(), links = {}, addressOf = (snapshot) => hashOf(snapshot, links) } = options;
  const { onAddress, onExit, onProblem = (problem) => console.warn(problem), window = globalThis.window } = options;
  const attempt = async (act) => {
    try {
      return await act();
    } catch (problem) {
      onProblem(problem);
    }
  };
  const pop = options.back === undefined ? (node) => attempt(() => session.pop(node)) : undefined;
  const entries = new Entries({ session, window, addressOf, onExit, pop, back: () => attempt(back), open: (url) => attempt(() => onAddress?.(url)) });
  return entries.start();
}

/** The entries of a page's history. The state of each entry has its depth: the number of the session's entries below it. */
class Entries {
  #depth = 0;
  #backs = new Backs();
  /** Whether this object has started to move through the history, and the browser has not finished the move. */
  #isMoving = false;
  #isAsked = false;
  /** Whether the user has agreed to leave the page, and the browser has not left it yet. */
  #isLeaving = false;
  #staying;
  #isOver = false;
  /** The typed URL, or the URL of a followed link, to pass to `onAddress` once the history is back at the session's entry. */
  #other;
  /** The session and the options of the app. `pop` removes a node and all pages above it; it is undefined if the app has its own `back`. */
  #page;

  /** @param {{ session: Session, window: Window, addressOf: (snapshot: object) => string } & Record<"back" | "pop" | "open" | "onExit", any>} page */
  constructor(page) {
    this.#page = page;
  }

  start() {
    const moved = ({ state }) => this.#moved(state?.cairnDepth);
    /** @type {(() => unknown)[]} */
    const leaves = [this.#page.session.onExit(() => this.#exit())];
    this.#page.window.addEventListener("popstate", moved);
    // Deferred, because React's StrictMode disconnects the first connection at once, and two connections would go back twice.
    queueMicrotask(() => {
      if (this.#isOver) return;
      this.#begin();
      leaves.push(this.#page.session.subscribe(() => this.#follow()));
    });
    return () => {
      this.#isOver = true;
      this.#page.window.clearTimeout(this.#staying);
      this.#page.window.removeEventListener("popstate", moved);
      for (const leave of leaves) leave();
    };
  }

  /** Adopts the page's first entry. After a reload, the entry has a depth. Without a depth, an address that is not the session's is passed to `onAddress`. */
  #begin() {
    const depth = this.#history.state?.cairnDepth;
    const [loaded, own] = [this.#here, this.#own];
    const isOther = depth === undefined && loaded.href !== own.href && (loaded.hash !== "" || own.hash === "");
    this.#depth = depth ?? 0;
    this.#follow();
    if (isOther) this.#page.open(loaded);
  }

  get #history() { return this.#page.window.history; }
  get #here() { return new URL(this.#page.window.location.href); }

  /** The address for the session's current snapshot. */
  get #own() { return new URL(this.#page.addressOf(this.#page.session.getSnapshot()), this.#page.window.location.href); }

  /** Adds entries, or goes back over some, until there are as many as the session needs, and replaces the address. */
  #follow() {
    const snapshot = this.#page.session.getSnapshot();
    if (this.#isOver || this.#isMoving || this.#isAsked || this.#isLeaving) return;
    const wanted = this.#backs.of(snapshot);
    if (wanted < this.#depth) return this.#go(wanted - this.#depth);
    const address = this.#page.addressOf(snapshot);
    // The page's first entry has no depth yet. Without a depth, a Back to this entry would count as another address.
    if (this.#history.state?.cairnDepth === undefined) this.#history.replaceState({ ...this.#history.state, cairnDepth: this.#depth }, "");
    while (this.#depth < wanted) {
      this.#depth += 1;
      this.#history.pushState({ cairnDepth: this.#depth }, "", address);
    }
    this.#history.replaceState({ ...this.#history.state, cairnDepth: this.#depth }, "", address);
  }

  #go(delta) {
    this.#isMoving = true;
    this.#history.go(delta);
  }

  async #moved(depth) {
    if (depth === undefined) return this.#leftFor(this.#here);
    const before = this.#depth;
    this.#depth = depth;
    if (this.#isMoving) return this.#arrived();
    this.#isLeaving = false;
    if (this.#page.session.getSnapshot().over) return;
    this.#isAsked = true;
    await this.#back(before - depth);
    this.#isAsked = false;
    if (this.#isOver) return;
    // Pages that stay, for example while a guard asks, have entries after the browser's current entry. The browser goes forward to these entries.
    const kept = Math.min(before, this.#backs.of(this.#page.session.getSnapshot())) - depth;
    if (kept > 0) this.#go(kept);
    else this.#follow();
  }

  /**
   * Goes back over `count` entries. Posts one `pop` for several pages of one stack, so that guards ask once for all of them, and one `back` for each other
   * entry. Stops at the first post that has another effect, such as a guard's question.
   */
  async #back(count) {
    for (let left = count; left > 0;) {
      const before = this.#page.session.getSnapshot();
      const depth = this.#backs.of(before);
      const jump = left > 1 && this.#page.pop ? popFor(before.tree, left) : undefined;
      const isHigher = () => this.#backs.of(this.#page.session.getSnapshot()) < depth;
      let leave = () => {};
      const shown = new Promise((resolve) => { leave = this.#page.session.subscribe(() => isHigher() && resolve()); });
      const answered = jump ? this.#page.pop(jump.node) : this.#page.back();
      // An engine shows the effect during the call or, if the engine is in another page, soon after it. Without a network the response arrives much later.
      if (this.#page.session.getSnapshot().tree === before.tree && (await Promise.race([answered, shown]))?.outcome === "unchanged") this.#backs.endAt(before);
      leave();
      if (!isHigher()) return;
      left -= jump?.count ?? 1;
    }
  }

  /**
   * Calls `onExit` or, without it, goes back over the page's first entry. Waits for the end of a move in progress, because the browser would combine two moves.
   */
  #exit() {
    if (this.#page.onExit) return this.#page.onExit();
    this.#isLeaving = true;
    if (!this.#isMoving) this.#leave();
  }

  #leave() {
    this.#history.go(-(this.#depth + 1));
    // A page that was opened in a new tab has no entry before it: the browser then stays on the page, and sends no event.
    this.#page.window.clearTimeout(this.#staying);
    this.#staying = this.#page.window.setTimeout(() => {
      this.#isLeaving = false;
      this.#follow();
    }, 1_000);
  }

  /** Handles an address that the user typed, or a followed link of the page. The browser has added an entry, unless the address is the session's own. */
  #leftFor(url) {
    if (url.href === this.#own.href) return this.#follow();
    this.#other = url;
    this.#go(-1);
  }

  #arrived() {
    this.#isMoving = false;
    if (this.#isLeaving) return this.#leave();
    const url = this.#other;
    this.#other = undefined;
    this.#follow();
    if (url) this.#page.open(url);
  }
}

/** Returns the address of a snapshot: `#/restaurantList/restaurant`, or `#/r/4` by the link of the visible screen. */
function hashOf({ stack, visible }, links) {
  return `#/${linkOf(visible, stack, links) ?? stack.map(({ screen }) => encodeURIComponent(screen)).join("/")}`;
}

/** Returns the link of a screen with the params of this screen and of the screens below; undefined if the screen has no link, or if a param is missing. */
function linkOf(visible, stack, links) {
  if (!visible || !Object.hasOwn(links, visible.screen)) return undefined;
  const values = Object.assign({}, ...stack.map(({ params }) => params));
  const parts = links[visible.screen].split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : values[part]));
  return parts.includes(undefined) ? undefined : parts.map((part, index) => (index % 2 === 0 ? part : encodeURIComponent(part))).join("");
}
