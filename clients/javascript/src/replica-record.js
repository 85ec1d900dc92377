/**
 * The part of a session's state that is kept for the next page: a state that was read, and the differences of the entries after it. With them, the next page
 * can begin without the service.
 */
export class ReplicaRecord {
  #state;
  #differences = [];

  /** The highest number of this client's actions that the state contains. */
  get last() { return this.#state?.last; }
  /** Whether the number of differences has reached a multiple of `mostDifferences`, so that the state should be read again. */
  get isLong() { return this.#differences.length > 0 && this.#differences.length % mostDifferences === 0; }

  /** Begins with a state; without a state the record is empty. */
  begin(state, differences = []) {
    [this.#state, this.#differences] = [state, differences];
  }

  /** Adds an entry's difference. `order` is the number of this client's action, which another page must not run again; 0 if the entry is of another action. */
  add(difference, order) {
    if (this.#state === undefined) return;
    this.#differences.push(difference);
    if (order > (this.last ?? 0)) this.#state = { ...this.#state, last: order };
  }

  /**
   * Returns the record's content; undefined if it is empty.
   * @param {Map<number, string[]>} created the nodes that each action has created
   * @param {object[]} waiting the bodies of the waiting posts. They may name a node of a confirmed action by the action's number
   * @param {string} [covers] the result of the engine's `covers`: the covers over the pages of the waiting posts
   */
  content(created, waiting, covers) {
    if (this.#state === undefined) return undefined;
    const orders = waiting.flatMap((body) => [body?.from?.action, body?.node?.action]);
    const isConfirmed = (order) => order <= (this.last ?? 0) && created.has(order);
    const named = [...new Set(orders)].filter(isConfirmed).map((order) => [order, created.get(order)]);
    return { ...this.#state, created: named, log: [...this.#differences], ...(covers === undefined ? {} : { covers }) };
  }
}

const mostDifferences = 200;
