// Placing nodes below others. A node that is unreachable from the root would count towards the bounds, keep its effects, and never be visible.
extension NodeTable {
  /// The reason why a node cannot have children.
  enum Misplacement: Error {
    /// The node is a screen or an alert.
    case leaf
    /// The node or one of its ancestors is not in the tree.
    case outside

    /// Throws if a node cannot have children.
    static func check(_ id: NodeID, in nodes: NodeTable) throws(Misplacement) {
      guard let record = nodes.record(id), record.isPlaced else { throw .outside }
      guard !record.isLeaf else { throw .leaf }
    }
  }

  /// Adds a new node as the last child of a container. Nodes that had a parent are moved with `move`.
  mutating func appendChild(_ child: NodeID, to id: NodeID) throws(Misplacement) {
    try Misplacement.check(id, in: self)
    link(child, to: id)
  }

  /// Makes nodes the children of a container, in order, and removes its previous ones.
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
  /// Whether a node has a parent, or needs none, like the root, which has no owner.
  var isPlaced: Bool { parent != 0 || owner == 0 }
}

extension Refusal {
  /// The refusal of an operation that would place a node below one that cannot have children.
  init(_ misplacement: NodeTable.Misplacement, below name: String) {
    switch misplacement {
    case .leaf: self.init(.noStack, "\(name) is a screen, which holds no other nodes")
    case .outside: self.init(.flowGone, "\(name) is not in the tree any more")
    }
  }
}
