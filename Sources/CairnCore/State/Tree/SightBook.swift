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

  /// Records `seen` as the nodes that the user sees. Nodes that are neither seen nor in `remaining` are removed. `isTold` is whether the
  /// steps have been sent to the seen nodes.
  mutating func note(seen: [NodeID], remaining: (NodeID) -> Bool, isTold: Bool) {
    for index in sightings.indices.reversed() where !seen.contains(sightings[index].node) {
      sightings[index].isSeen = false
      if !sightings[index].wasTold || !remaining(sightings[index].node) { sightings.remove(at: index) }
    }
    for node in seen {
      // Few nodes are in sight, so their places are searched one by one.
      var place = 0
      while place < sightings.count, sightings[place].node < node { place += 1 }
      if place == sightings.count || sightings[place].node != node {
        sightings.insert(Sighting(node: node, isSeen: false, wasTold: false), at: place)
      }
      if isTold, !sightings[place].isSeen { sightings[place].wasTold = true }
      sightings[place].isSeen = true
    }
  }
}
