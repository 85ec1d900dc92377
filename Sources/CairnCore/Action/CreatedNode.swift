/// A node that is named by the action of the same client that creates it.
package struct CreatedNode: Hashable, Sendable {
  /// The place of the field among the fields of the action that names the node.
  package var place: Int
  /// The number of the action that creates the node.
  package var action: WideInt
  /// The place of the node among those that the action creates, from 0.
  package var node: Int

  package init(place: Int, action: WideInt, node: Int) {
    self.place = place
    self.action = action
    self.node = node
  }
}
