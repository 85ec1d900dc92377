import { engines } from "./watched-engines.js";

/**
 * Records the keys of a predicting session's nodes at each change. `mountedAgain` finds nodes that were confirmed as predicted, but whose views a renderer
 * would have mounted a second time because their keys changed.
 */
export class WatchedViews {
  /** The number of confirmed nodes that kept the views of their predictions. */
  kept = 0;
  #session;
  #client;
  #ahead;
  #moments = [];

  /** @param {{ client: string, ahead: number }} given the beginning of the client's id, and the number of hours by which its clock is fast */
  constructor(session, { client, ahead }) {
    [this.#session, this.#client, this.#ahead] = [session, client, ahead];
    session.subscribe(() => this.#note());
    this.#note();
  }

  #note() {
    const { tree, revision, predicts } = this.#session.getSnapshot();
    const last = this.#moments.at(-1);
    if (last?.tree === tree && last.revision === revision) return;
    this.#moments.push({ tree, revision, predicts, nodes: predicts ? [...this.#nodes(tree, "root")] : [] });
  }

  /** Yields a node and the nodes below it. Two nodes with equal `looks` and the same parent are the same view if the same action created them. */
  *#nodes(node, role, parent) {
    const { id, kind, name, params, style, on } = node;
    const origin = engines.newest.get(this.#ahead)?.origin(id);
    yield { id, parent, key: this.#session.keyOf(id), origin, looks: JSON.stringify([role, kind, name, params, style, on]) };
    for (const child of node.children ?? []) yield* this.#nodes(child, "child", id);
    if (node.presented) yield* this.#nodes(node.presented, "presented", id);
    for (const modal of node.levels ?? []) yield* this.#nodes(modal, `level ${modal.level}`, id);
  }

  /**
   * Returns a description of each view that was mounted again, and discards all recorded moments but the last.
   *
   * @param {Map<number, object>} entries the service's entry at each revision since the last call
   */
  mountedAgain(entries) {
    const moments = this.#moments.splice(0);
    this.#moments.push(moments.at(-1));
    const all = [...entries.values()];
    const own = new Map(all.filter(({ sender }) => sender?.client?.startsWith(this.#client)).map((entry) => [entry.sender.action, entry]));
    const creators = creatorsOf(all);
    return moments.flatMap((next, place) => {
      const before = moments[place - 1];
      return before?.predicts && next.predicts ? this.#between(before, next, own, creators) : [];
    });
  }

  /**
   * `own`: the client's entries by the numbers of their actions. `creators`: the entry that has created each node. A recorded tree can be older than its
   * revision while the client is reading a state. So a confirmed node is looked up in the first tree in which it is no longer a predicted node.
   */
  #between(before, next, own, creators) {
    const known = new Set(before.nodes.filter(({ origin }) => origin === undefined).map(({ id }) => id));
    // The confirmed ids. Parents come before their children.
    const became = new Map(Array.from(known, (id) => [id, id]));
    return before.nodes.filter(({ origin }) => origin !== undefined).flatMap((node) => {
      const entry = own.get(node.origin.action);
      const parent = became.get(node.parent);
      if (entry === undefined || parent === undefined) return [];
      const twins = before.nodes.filter(({ origin, parent: its, looks }) => origin?.action === node.origin.action && its === node.parent && looks === node.looks);
      const found = next.nodes.filter(({ id, parent: its, looks, origin }) => (
        origin === undefined && !known.has(id) && creators.get(id) === entry && its === parent && looks === node.looks));
      if (found.length !== twins.length) return [];
      const same = found[twins.indexOf(node)];
      became.set(node.id, same.id);
      this.kept += 1;
      // If the state was read from the service, the creator of a node is unknown. The view can then belong to another client's node with equal `looks` and the
      // same parent.
      if (next.nodes.some(({ key, parent: its, looks }) => key === node.key && its === parent && looks === node.looks)) return [];
      return [`${node.looks}: ${node.id} with the key ${node.key} became ${same.id} with ${same.key} at ${next.revision}, by ${JSON.stringify(entry.action)}`];
    });
  }
}

/** Returns the entry that has created each node: the first one whose changes contain the node. */
function creatorsOf(entries) {
  const creators = new Map();
  const note = (part, entry) => {
    if (part === null || typeof part !== "object") return;
    if (typeof part.id === "string" && !creators.has(part.id)) creators.set(part.id, entry);
    for (const inner of Object.values(part)) note(inner, entry);
  };
  for (const entry of entries) note(entry.changes, entry);
  return creators;
}
