import CairnCore

extension TreeDrawing {
  /// Returns marks for the nodes that are new or differ from an older tree. A node is not marked if only nodes below it changed.
  static func marks(from old: Tree, to new: Tree) -> [NodeID: Mark] {
    let known = Dictionary(old.withAllBelow.map { ($0.id, $0.alone) }) { $1 }
    var marks: [NodeID: Mark] = [:]
    for node in new.withAllBelow {
      guard let before = known[node.id] else {
        marks[node.id] = .new
        continue
      }
      if before != node.alone { marks[node.id] = .changed }
    }
    return marks
  }
}

extension Tree {
  /// The node and all nodes below it.
  var withAllBelow: [Tree] { [self] + below.flatMap(\.withAllBelow) }

  /// The node without the nodes below it.
  fileprivate var alone: Tree {
    var node = self
    (node.children, node.presented, node.levels, node.overlays) = (nil, nil, nil, nil)
    return node
  }
}
