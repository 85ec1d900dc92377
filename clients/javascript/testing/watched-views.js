import { nodesBelow } from "../src/play.js";

/**
 * The views of a session: the keys of its nodes at each change. `mountedAgain` finds views of predicted nodes that a renderer would have mounted a second time although
 * the node came as predicted.
 */
export class WatchedViews {
  /** How many predicted nodes kept their views, and how many of those got another id. */
  kept = 0;
  renamed = 0;
  #session;
  #client;
  #moments = [];

  /** @param {string} client the beginning of this client's id */
  constructor(session, client) {
    [this.#session, this.#client] = [session, client];
    session.subscribe(() => this.#note());
    this.#note();
  }

  #note() {
    const { tree, revision, predicts } = this.#session.getSnapshot();
    const last = this.#moments.at(-1);
    if (last?.tree === tree && last.revision === revision) return;
    const keys = new Map([...nodesBelow(tree)].map(([id]) => [id, this.#session.keyOf(id)]));
    this.#moments.push({ tree, revision, predicts, keys });
  }

  /**
   * The keys of views that were mounted again, and forgets what it has looked at.
   *
   * @param {Map<number, object>} trees the service's tree at each revision
   * @param {Map<number, object>} entries the service's entry at each revision
   */
  mountedAgain(trees, entries) {
    const found = [];
    const moments = this.#moments.splice(0);
    for (const [place, next] of moments.entries()) {
      const before = moments[place - 1];
      if (before !== undefined && next.revision > before.revision && before.predicts && next.predicts) found.push(...this.#between(before, next, trees, entries));
    }
    this.#moments.push(moments.at(-1));
    return found;
  }

  #between(before, next, trees, entries) {
    const revisions = Array.from({ length: next.revision - before.revision }, (_, index) => before.revision + 1 + index);
    const own = revisions.filter((revision) => entries.get(revision)?.sender?.client?.startsWith(this.#client) === true);
    const isOwn = own.length === revisions.length;
    if ((own.length > 0 && !isOwn) || !trees.has(before.revision) || !trees.has(next.revision)) return [];
    // Behind entries of this client its nodes are confirmed; behind those of others they are still predicted.
    const confirmed = (revision) => new Set([...nodesBelow(trees.get(revision))].map(([id]) => id));
    const old = predicted(before, confirmed(before.revision));
    const now = predicted(next, confirmed(isOwn ? before.revision : next.revision));
    if (old.length !== now.length || old.some((node, index) => node.looks !== now[index].looks)) return [];
    this.kept += old.length;
    this.renamed += old.filter((node, index) => node.id !== now[index].id).length;
    const actions = revisions.map((revision) => JSON.stringify(entries.get(revision)?.action));
    return old.flatMap(({ id, key, looks }, index) => (
      key === now[index].key ? [] : [`${looks}: ${id} with the key ${key} became ${now[index].id} with ${now[index].key} at ${revisions.join()} (${actions.join()})`]));
  }
}

/** The nodes of a moment that are not confirmed, in order: their ids, keys, and what they look like and where they are. */
function predicted({ tree, keys }, confirmed) {
  const all = [];
  const walk = (node, place) => {
    const { id, kind, name, params } = node;
    if (!confirmed.has(id)) all.push({ id, key: keys.get(id), looks: JSON.stringify([place, kind, name, params]) });
    // A confirmed node has its id, a predicted one its place among the predicted ones.
    const here = confirmed.has(id) ? id : `#${all.length}`;
    for (const [index, child] of (node.children ?? []).entries()) walk(child, `${here}/${index}`);
    if (node.presented) walk(node.presented, `${here}/presented`);
    for (const modal of node.levels ?? []) walk(modal, `${here}/level${modal.level}`);
  };
  walk(tree, "");
  return all;
}
