import { modalsIn, onRoute, pathToFront } from "./routes.js";

/**
 * Counts how many times in a row `back` has an effect. By the service's rules (docs/patterns.md, "Manners of tabs"), `back` pops the front layer's
 * stacks from the inside out, then dismisses its modal, and last selects another tab. On the last page, a guard may ask before the app is left.
 *
 * A tree does not say whether its tabs have `back: first`. The tabs are assumed to have it until a node is shown where no other back is possible. There,
 * `accepts` shows whether they have it, and the result is remembered by the tabs' name. An `accepts` that belongs to an earlier tree is not used. With `back:
 * order` or `back: history`, the tree does not say how many tabs follow; the count is then at least 1 as long as `accepts` contains `back`, even after a
 * `back`.
 */
export class Backs {
  #isFirst = new Map();
  /** Whether a guard asks before `back` leaves the last page, according to the newest `accepts` of a tree that shows a last page. */
  #asks = false;
  /** Whether `back` would select another tab although the first tab is shown, according to the same `accepts`. */
  #returns = false;

  /** Returns how many `back` actions in a row have an effect, beginning at a snapshot. */
  of(/** @type {import("./types").Shown} */ { tree, accepts, detailed }) {
    const others = popsOf(tree) + modalsOf(tree).reduce((sum, modal) => sum + 1 + popsOf(modal), 0);
    const tabs = tabsBelow(tree);
    if (others === 0 && detailed) {
      this.#asks = accepts.guarded?.includes("back") === true;
      // If `back` only asks, `accepts` does not show what a confirmed `back` would do.
      if (!this.#asks) this.#learn(tabs, accepts.primitives.includes("back"));
      const isFirstTab = tabs.length === 0 && pathToFront(tree).some(({ kind }) => kind === "tabs");
      this.#returns = !this.#asks && isFirstTab && accepts.primitives.includes("back");
    }
    const all = others + this.#firstsOf(tree);
    return all === 0 && (this.#asks || this.#returns) ? 1 : all;
  }

  /** Notes that `back` has no effect in a snapshot. */
  endAt({ tree }) {
    this.#returns = false;
    if (popsOf(tree) === 0 && modalsOf(tree).length === 0) this.#learn(tabsBelow(tree), false);
  }

  #learn(tabs, isFirst) {
    for (const { name } of tabs) this.#isFirst.set(name, isFirst);
  }

  /** Returns how many `back` actions select the first tab of tabs in the tree, or pop pages in such a first tab. */
  #firstsOf(tree) {
    return tabsBelow(tree).filter(({ name }) => this.#isFirst.get(name) ?? true)
      .reduce((sum, { children: [first] }) => sum + 1 + popsOf(first) + this.#firstsOf(first), 0);
  }
}

/**
 * Returns the pages that one `pop` can remove instead of up to `most` backs, as `{ node, count }`: the lowest page and the number of pages. They are at the top
 * of the innermost stack with several children. Returns undefined if there is no such stack, or if a split is on the path, because its panes are popped in
 * turn.
 */
export function popFor(tree, most) {
  const path = pathToFront(tree);
  const stack = path.findLast(({ kind, children }) => kind === "stack" && children.length > 1);
  if (stack === undefined || path.some(({ kind }) => kind === "split")) return undefined;
  const count = Math.min(most, above(stack));
  return { node: stack.children.at(-count).id, count };
}

/** Returns the number of nodes that can be popped until a layer's stacks show their first screens. */
function popsOf(node) {
  const children = node.children ?? [];
  if (node.kind === "split") return children.reduce((sum, child) => sum + popsOf(child), 0);
  return (node.kind === "stack" ? above(node) : 0) + onRoute(node).reduce((sum, child) => sum + popsOf(child), 0);
}

function above({ children }) {
  return Math.max(0, children.length - 1);
}

/** Returns all modals over a layer, and the modals over these. For the root, the result includes the modals on levels. */
function modalsOf(layer) {
  const levels = layer.levels ?? [];
  return [...levels, ...[layer, ...levels].flatMap((window) => modalsIn(window).flatMap((modal) => [modal, ...modalsOf(modal)]))];
}

/** Returns the tab containers on the path to the front screen that do not show their first tab once all stacks show their first screens. */
function tabsBelow(node) {
  const children = onRoute(node);
  const next = node.kind === "stack" ? children[0] : children.at(-1);
  const below = next === undefined ? [] : tabsBelow(next);
  return node.kind === "tabs" && node.selected > 0 ? [node, ...below] : below;
}
