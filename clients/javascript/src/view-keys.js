import { nodesBelow } from "./play.js";

/** Assigns each node a key. The key stays the same when a predicted node gets its confirmed id, so the node's view stays mounted. */
export class ViewKeys {
  #keys = new Map();
  #made = 0;

  /** Returns the key of a node: its id, unless the node has got another id. */
  of(id) {
    return this.#keys.get(id) ?? id;
  }

  /** Returns the newest id of the node with this key. */
  idOf(key) {
    for (const [id, own] of this.#keys) if (own === key) return id;
    return key;
  }

  /** Changes the ids of nodes: with `{ n7: "n8" }`, node n7 becomes n8 and keeps its key. Another node may later have the id n7, and gets another key. */
  rename(renamed) {
    const entries = Object.entries(renamed);
    const before = entries.map(([old]) => this.of(old));
    for (const [old] of entries) this.#keys.set(old, `${old}~${(this.#made += 1)}`);
    entries.forEach(([, id], place) => this.#keys.set(id, before[place]));
  }

  /**
   * Returns the keys of a tree's nodes in a form that can be sent to another page. Includes an entry for each former id that is now the key of another
   * node, so that a later node with this id gets a different key.
   */
  shared(tree) {
    const shown = Array.from(nodesBelow(tree), ([id]) => id).filter((id) => this.#keys.has(id));
    const used = shown.map((id) => this.of(id)).filter((id) => this.#keys.has(id));
    return { keys: Object.fromEntries([...shown, ...used].map((id) => [id, this.of(id)])), made: this.#made };
  }

  /** Replaces the keys by the keys of another page. */
  adopt({ keys, made }) {
    this.#keys = new Map(Object.entries(keys));
    this.#made = made;
  }
}
