import CairnCore

extension TreeDrawing {
  /// The nodes that differ from an older tree. A node of which only the children changed is not marked.
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
  /// The node, and all that is below it.
  var withAllBelow: [Tree] { [self] + ((children ?? []) + [presented].compactMap(\.self) + (levels ?? [])).flatMap(\.withAllBelow) }

  /// Without what is below it.
  fileprivate var alone: Tree {
    var node = self
    (node.children, node.presented, node.levels) = (nil, nil, nil)
    return node
  }
}
