import { nodesBelow } from "./play.js";

/** A key for each node that stays the same when a predicted node gets its confirmed id, so that its view stays mounted. */
export class ViewKeys {
  #keys = new Map();
  #made = 0;

  /** The key of a node: its id, unless it got another id. */
  of(id) {
    return this.#keys.get(id) ?? id;
  }

  /** The newest id of the node with this key. */
  idOf(key) {
    for (const [id, own] of this.#keys) if (own === key) return id;
    return key;
  }

  /** Takes new ids of nodes: `{ n7: "n8" }`. An id that is free now may be that of another node later, which gets another key. */
  rename(renamed) {
    const entries = Object.entries(renamed);
    const before = entries.map(([old]) => this.of(old));
    for (const [old] of entries) this.#keys.set(old, `${old}~${(this.#made += 1)}`);
    entries.forEach(([, id], place) => this.#keys.set(id, before[place]));
  }

  /** The keys of a tree's nodes in a form that can be sent to another page, and those of free ids that would otherwise be the key of two nodes. */
  shared(tree) {
    const shown = Array.from(nodesBelow(tree), ([id]) => id).filter((id) => this.#keys.has(id));
    const used = shown.map((id) => this.of(id)).filter((id) => this.#keys.has(id));
    return { keys: Object.fromEntries([...shown, ...used].map((id) => [id, this.of(id)])), made: this.#made };
  }

  /** Takes the keys of another page. */
  adopt({ keys, made }) {
    this.#keys = new Map(Object.entries(keys));
    this.#made = made;
  }
}
