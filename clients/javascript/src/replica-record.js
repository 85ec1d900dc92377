/**
 * What of a session's state is kept for the next page: a state that was read, and the differences of the entries behind it. With both that page begins without
 * the service.
 */
export class ReplicaRecord {
  #state;
  #differences = [];

  /** The highest number of this client's actions that it contains. */
  get last() {
    return this.#state?.last;
  }

  /** Whether there are so many differences that the state should be read again. */
  get isLong() {
    return this.#differences.length > 0 && this.#differences.length % mostDifferences === 0;
  }

  /** Begins with a state, or has nothing if none is given. */
  begin(state, differences = []) {
    [this.#state, this.#differences] = [state, differences];
  }

  /** Adds an entry's difference, with the number of this client's action, or 0: another page must not run that again. */
  add(difference, order) {
    if (this.#state === undefined) return;
    this.#differences.push(difference);
    if (order > (this.last ?? 0)) this.#state = { ...this.#state, last: order };
  }

  /**
   * Its content; undefined: there is none.
   *
   * @param {Map<number, string[]>} created the nodes that each action has created
   * @param {object[]} waiting the bodies of the posts that wait. They may name nodes of confirmed actions by their numbers
   */
  content(created, waiting) {
    if (this.#state === undefined) return undefined;
    const orders = waiting.flatMap((body) => [body?.from?.action, body?.node?.action]);
    const isConfirmed = (order) => order <= (this.last ?? 0) && created.has(order);
    const named = [...new Set(orders)].filter(isConfirmed).map((order) => [order, created.get(order)]);
    return { ...this.#state, created: named, log: [...this.#differences] };
  }
}

const mostDifferences = 200;
