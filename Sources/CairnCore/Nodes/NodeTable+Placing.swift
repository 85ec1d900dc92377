// Adds nodes to parents, and checks that each parent is a container in the tree. A node that no walk from the root reaches would count towards the
// bounds, keep its effects, and never be visible.
extension NodeTable {
  /// The reason why a node cannot have children.
  enum Misplacement: Error {
    /// The node is a screen or alert.
    case leaf
    /// The node is not in the tree.
    case outside

    /// Throws if the node cannot have children.
    static func check(_ id: NodeID, in nodes: NodeTable) throws(Misplacement) {
      guard let record = nodes.record(id), record.isPlaced else { throw .outside }
      guard !record.isLeaf else { throw .leaf }
    }
  }

  /// Adds a new node as the last child of a container. Use `move` for a node that has been a child before. Throws if the parent is a leaf or not in the tree.
  mutating func appendChild(_ child: NodeID, to id: NodeID) throws(Misplacement) {
    try Misplacement.check(id, in: self)
    link(child, to: id)
  }

  /// Replaces the children of a node by existing nodes, which leave their former parents. Throws if the node `id` is a leaf or not in the
  /// tree.
  mutating func move(_ nodes: [NodeID], to id: NodeID) throws(Misplacement) {
    try Misplacement.check(id, in: self)
    setChildren([], of: id)
    for node in nodes {
      unlink(node)
      update(node) { $0.parent = NodeRecord.number(id) }
      link(node, to: id)
    }
  }
}

extension NodeRecord {
  /// Whether the node has a parent, or is the root, which has no owner.
  var isPlaced: Bool { parent != 0 || owner == 0 }
}

extension Refusal {
  /// The refusal of an operation that would add a node in an invalid position.
  init(_ misplacement: NodeTable.Misplacement, below name: String) {
    switch misplacement {
    case .leaf: self.init(.noStack, "\(name) is a screen, which cannot contain other nodes")
    case .outside: self.init(.flowGone, "\(name) is no longer in the tree")
    }
  }
}
