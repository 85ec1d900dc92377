/// The record of a node that has a `seen` or `unseen` step.
public struct Sighting: Hashable, Sendable {
  public var node: NodeID
  /// Whether the user sees the node.
  public var isSeen: Bool
  /// Whether an event has ever reported that the user sees the node.
  public var wasTold: Bool

  public init(node: NodeID, isSeen: Bool, wasTold: Bool) {
    self.node = node
    self.isSeen = isSeen
    self.wasTold = wasTold
  }
}

/// The nodes with `seen` or `unseen` steps that the user sees or has seen, in ascending order of ids.
struct SightBook: Hashable, Sendable {
  var sightings: [Sighting] = []

  subscript(node: NodeID) -> Sighting? { sightings.first { $0.node == node } }

  /// Records `seen` as the nodes that the user sees. Removes the record of an unseen node if `remaining` is false for it, or if no event
  /// has reported that the user saw it. `isTold` is whether events report the nodes that come into sight.
  mutating func note(seen: [NodeID], remaining: (NodeID) -> Bool, isTold: Bool) {
    for index in sightings.indices.reversed() where !seen.contains(sightings[index].node) {
      sightings[index].isSeen = false
      if !sightings[index].wasTold || !remaining(sightings[index].node) { sightings.remove(at: index) }
    }
    for node in seen {
      // Few nodes are in sight, so a linear search finds the place.
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
