/**
 * The browser's back button is a phone's: it posts `back`, and the service decides what that is. The browser has one entry for each `back` that
 * there is; after each change entries are added, or gone back over, until their number is right. The address shows the stack.
 */
export class BrowserHistory {
  #depth;
  #isMoving = false;
  #isAsked = false;

  /** @param {() => Promise<unknown>} back posts it */
  constructor(session, back) {
    Object.assign(this, { session, back });
    this.#depth = history.state?.depth ?? 0;
    window.addEventListener("popstate", (event) => this.#moved(event.state?.depth ?? 0));
  }

  /** Brings the entries to the snapshot. */
  follow() {
    if (this.#isMoving || this.#isAsked) return;
    const { tree, stack } = this.session.getSnapshot();
    const wanted = depthOf(tree, stack);
    if (wanted < this.#depth) {
      this.#isMoving = true;
      history.go(wanted - this.#depth);
      return;
    }
    while (this.#depth < wanted) {
      this.#depth += 1;
      history.pushState({ depth: this.#depth }, "", addressOf(stack));
    }
    history.replaceState({ depth: this.#depth }, "", addressOf(stack));
  }

  async #moved(depth) {
    const before = this.#depth;
    this.#depth = depth;
    if (this.#isMoving) {
      this.#isMoving = false;
      return this.follow();
    }
    this.#isAsked = true;
    // Forward is no gesture of Cairn's: `follow` goes back over it.
    for (let step = depth; step < before; step += 1) await this.back();
    this.#isAsked = false;
    this.follow();
  }
}

/** How often `back` leads somewhere: each screen over the first, and the first tab. */
function depthOf(tree, stack) {
  return stack.length - 1 + (tree.kind === "tabs" && tree.selected > 0 ? 1 : 0);
}

function addressOf(stack) {
  const parts = stack.map(({ screen, params = {} }) => [screen, ...Object.values(params)].map(encodeURIComponent).join("-"));
  return `#/${parts.join("/")}`;
}
