/// A reference to a node whose id the client does not know yet. It names the client's earlier action that creates the node.
package struct CreatedNode: Hashable, Sendable {
  /// The index of the field that contains the reference, among the fields of its action.
  package var place: Int
  /// The client's number of the action that creates the node.
  package var action: WideInt
  /// The index of the node among those that the action creates, from 0.
  package var node: Int

  /// The highest value of `node` that a request can contain.
  package static let highestPlace = 100_000

  /// The nodes that an action has created. `first` and `end` are the next free node numbers before and after the action. Returns at most as
  /// many nodes as a request can name, because an imported history may contain any numbers.
  package static func nodes(from first: WideInt, to end: WideInt) -> [NodeID] {
    guard end > first else { return [] }
    return (first..<min(end, first.addingSaturated(WideInt(highestPlace) + 1))).map { NodeID($0) }
  }

  package init(place: Int, action: WideInt, node: Int) {
    self.place = place
    self.action = action
    self.node = node
  }
}

#if !CLIENT_ENGINE
  extension CreatedNode {
    /// The node's id. `created` contains the nodes that the referenced action has created; `nil` if they are not known. `isAnswer` is whether the
    /// reference is in an answer to a guard's question: if the guard did not ask, the node was never created, and the answer changes nothing. Throws
    /// for any other node that is unknown or was never created.
    package func id(among created: [NodeID]?, isAnswer: Bool) throws(Refusal) -> NodeID {
      if let created {
        if created.indices.contains(node) { return created[node] }
        if isAnswer { return .neverCreated }
      }
      throw Refusal(
        .dismissed, "the action \(action) has no node \(node): it was refused, created fewer nodes, or is not among the newest entries")
    }
  }
#endif
