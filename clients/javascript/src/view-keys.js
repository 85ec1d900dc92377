/** A key for each node that stays the same when a predicted node gets its confirmed id, so that its view stays mounted. */
export class ViewKeys {
  #keys = new Map();
  #made = 0;

  /** The key of a node: its id, unless it got another id. */
  of(id) {
    return this.#keys.get(id) ?? id;
  }

  /** Takes new ids of nodes: `{ n7: "n8" }`. An id that is free now may be that of another node later, which gets another key. */
  rename(renamed) {
    const entries = Object.entries(renamed);
    const before = entries.map(([old]) => this.of(old));
    for (const [old] of entries) this.#keys.set(old, `${old}~${(this.#made += 1)}`);
    entries.forEach(([, id], place) => this.#keys.set(id, before[place]));
  }
}
