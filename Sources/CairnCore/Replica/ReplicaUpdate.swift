/// The update of a renderer after a confirmation: first the new ids, then the changes.
public struct ReplicaUpdate: Hashable, Sendable {
  /// The new ids of shown nodes. Their views stay.
  public var renamed: [NodeID: NodeID] = [:]
  /// The changes from what was shown to what is shown now, with the new ids.
  public var changes: [Change] = []

  public init() {}
}
