/** The tree of a session, of a snapshot, or itself. */
export function treeOf(source) {
  return source.tree ?? source;
}
