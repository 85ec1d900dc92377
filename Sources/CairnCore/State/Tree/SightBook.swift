/// The last notification of a node with a step for being seen.
public struct Sighting: Hashable, Sendable {
  public var node: NodeID
  /// Whether the user sees the node.
  public var isSeen: Bool
  /// Whether the node was ever notified that it is seen.
  public var wasTold: Bool

  public init(node: NodeID, isSeen: Bool, wasTold: Bool) {
    self.node = node
    self.isSeen = isSeen
    self.wasTold = wasTold
  }
}

/// The nodes with a step for being seen that the user sees or has seen, ascending by id.
struct SightBook: Hashable, Sendable {
  var sightings: [Sighting] = []

  subscript(node: NodeID) -> Sighting? { sightings.first { $0.node == node } }

  /// Makes `seen` the nodes that the user sees. Nodes that are neither seen nor in `remaining` are forgotten. If `isTold`, the seen nodes have been notified.
  mutating func note(seen: [NodeID], remaining: (NodeID) -> Bool, isTold: Bool) {
    var next = sightings.filter { !seen.contains($0.node) && remaining($0.node) && $0.wasTold }
    for index in next.indices { next[index].isSeen = false }
    for node in seen {
      let before = self[node]
      let wasTold = before?.wasTold ?? false
      next.append(Sighting(node: node, isSeen: true, wasTold: wasTold || isTold && before?.isSeen != true))
    }
    next.sort { $0.node < $1.node }
    if next != sightings { sightings = next }
  }
}
