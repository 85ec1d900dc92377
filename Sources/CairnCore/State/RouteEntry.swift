/// One entry of the route stack: a visible node. The entries lead from the root to the leaf and include modals.
public struct RouteEntry: Hashable, Sendable {
  public var id: NodeID
  public var screen: String
  public var params: [String: Value]?
  /// The flow that handles the node's steps.
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
