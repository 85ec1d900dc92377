/// One entry of the route stack: what is visible, from the root to the leaf, modals included.
public struct RouteEntry: Hashable, Sendable, Decodable {
  public var id: NodeID
  public var screen: String
  public var params: [String: Value]?
  /// The flow that hears it.
  public var flow: String?
  /// True on the first entry of a modal.
  public var presented: Bool?
}
