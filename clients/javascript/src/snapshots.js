/** The tree of a session, of a snapshot, or itself. */
export function treeOf(source) {
  return source.tree ?? source;
}

/** The keys of a session's views, by the ids of nodes. Those of a snapshot or a tree are the ids. */
export function keysOf(source) {
  return source?.keyOf ?? itself;
}

/** The ids of a session's nodes, by the keys of their views. */
export function idsOf(source) {
  return source?.idOf ?? itself;
}

function itself(value) {
  return value;
}
