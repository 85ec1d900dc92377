import { modalsIn, onRoute } from "./routes.js";

/**
 * Counts how often `back` leads somewhere. The service's rules (docs/definition.md, "Tabs, switches, splits") pop the front layer's stacks from the inside out,
 * then dismiss its modal, and at the very end select the first tab.
 *
 * A tree does not contain whether its tabs have `back: first`. `accepts` tells where no other back is left, and is remembered by the tabs' name. Until then
 * tabs are taken to have it.
 */
export class Backs {
  #isFirst = new Map();

  /** The number for a snapshot. */
  of({ tree, accepts }) {
    const others = popsOf(tree) + modalsOf(tree).reduce((sum, modal) => sum + 1 + popsOf(modal), 0);
    const tabs = tabsBelow(tree);
    if (others === 0 && accepts !== undefined) this.#learn(tabs, accepts.primitives.includes("back"));
    return others + this.#firstsOf(tree);
  }

  /** Learns that `back` changes nothing in a snapshot. */
  endAt({ tree }) {
    if (popsOf(tree) === 0 && modalsOf(tree).length === 0) this.#learn(tabsBelow(tree), false);
  }

  #learn(tabs, isFirst) {
    for (const { name } of tabs) this.#isFirst.set(name, isFirst);
  }

  /** The first tabs that are still to be selected, and what is to be popped in them. */
  #firstsOf(tree) {
    return tabsBelow(tree).filter(({ name }) => this.#isFirst.get(name) ?? true)
      .reduce((sum, { children: [first] }) => sum + 1 + popsOf(first) + this.#firstsOf(first), 0);
  }
}

/** The nodes that are popped before a layer is at its bottom. */
function popsOf(node) {
  const children = node.children ?? [];
  // The detail is in front. Of the master only its own stack is popped.
  if (node.kind === "split" && children.length === 2) return popsOf(children[1]) + above(children[0]);
  return (node.kind === "stack" ? above(node) : 0) + onRoute(node).reduce((sum, child) => sum + popsOf(child), 0);
}

function above({ children }) {
  return Math.max(0, children.length - 1);
}

/** All modals over a layer, and over each other; of the root also those on levels. */
function modalsOf(layer) {
  const levels = layer.levels ?? [];
  return [...levels, ...[layer, ...levels].flatMap((window) => modalsIn(window).flatMap((modal) => [modal, ...modalsOf(modal)]))];
}

/** The tabs that do not show their first one, on the way to the front screen once all stacks are at their bottom. */
function tabsBelow(node) {
  const children = onRoute(node);
  const next = node.kind === "stack" ? children[0] : children.at(-1);
  const below = next === undefined ? [] : tabsBelow(next);
  return node.kind === "tabs" && node.selected > 0 ? [node, ...below] : below;
}
