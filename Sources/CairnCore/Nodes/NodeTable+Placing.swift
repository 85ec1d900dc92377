// Placing nodes below others. A node that no walk from the root finds would count against the bounds, keep its effects, and never be visible.
extension NodeTable {
  /// Why a node cannot have children.
  enum Misplacement: Error {
    /// It is a screen or an alert.
    case leaf
    /// It, or a node above it, is in no tree.
    case outside

    /// Refuses a node that cannot have children.
    static func check(_ id: NodeID, in nodes: NodeTable) throws(Misplacement) {
      guard let record = nodes.record(id), record.isPlaced else { throw .outside }
      guard !record.isLeaf else { throw .leaf }
    }
  }

  /// Adds a new node as the last child of a container. For a node that was a child before use `move`.
  mutating func appendChild(_ child: NodeID, to id: NodeID) throws(Misplacement) {
    try Misplacement.check(id, in: self)
    link(child, to: id)
  }

  /// Makes nodes, in their order, the children of a container, and removes its previous ones.
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
  /// Whether a node has a parent, or needs none: the root has no maker.
  var isPlaced: Bool { parent != 0 || owner == 0 }
}

extension Refusal {
  /// The refusal of an operation that would place a node where it cannot be.
  init(_ misplacement: NodeTable.Misplacement, below name: String) {
    switch misplacement {
    case .leaf: self.init(.noStack, "\(name) is a screen, which holds no other nodes")
    case .outside: self.init(.flowGone, "\(name) is not in the tree any more")
    }
  }
}
