/// One entry of the route stack: what is visible, from the root to the leaf, modals included.
public struct RouteEntry: Hashable, Sendable {
  public var id: NodeID
  public var screen: String
  public var params: [String: Value]?
  /// The flow that handles its steps.
  public var flow: String?
  /// True on the first entry of a modal.
  public var presented: Bool?

  package init(id: NodeID, screen: String, params: [String: Value]? = nil, flow: String? = nil, presented: Bool? = nil) {
    self.id = id
    self.screen = screen
    self.params = params
    self.flow = flow
    self.presented = presented
  }
}
