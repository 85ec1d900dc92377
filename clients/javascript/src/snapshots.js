/** Returns the tree of a session or of a snapshot; a tree is returned itself. */
export function treeOf(source) {
  return source.tree ?? source;
}

/** Returns a function from the ids of nodes to the keys of a session's views. For a snapshot or a tree the keys are the ids. */
export function keysOf(source) {
  return source?.keyOf ?? itself;
}

/** Returns a function from the keys of a session's views to the ids of nodes. */
export function idsOf(source) {
  return source?.idOf ?? itself;
}

function itself(value) {
  return value;
}
