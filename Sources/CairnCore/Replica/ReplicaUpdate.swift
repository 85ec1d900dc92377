/// An update of the shown tree, after the service has confirmed or dropped actions. A renderer applies the new ids first, then the changes.
public struct ReplicaUpdate: Hashable, Sendable {
  /// The new ids of shown nodes, by their old ids. The nodes keep their views.
  public var renamed: [NodeID: NodeID] = [:]
  /// The changes from the previously shown state to the new one, with the new ids.
  public var changes: [Change] = []

  public init() {}
}
