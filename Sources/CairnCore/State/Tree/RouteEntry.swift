/// One screen of the route stack, which lists the screens on the way from the root to the visible screen, including covered ones and
/// modals.
public struct RouteEntry: Hashable, Sendable {
  public var id: NodeID
  public var screen: String
  public var params: [String: Value]?
  /// The flow that handles the entry's steps.
  public var flow: String?
  /// `true` if the entry is the first one of a modal, otherwise `nil`.
  public var presented: Bool?

  package init(id: NodeID, screen: String, params: [String: Value]? = nil, flow: String? = nil, presented: Bool? = nil) {
    self.id = id
    self.screen = screen
    self.params = params
    self.flow = flow
    self.presented = presented
  }
}
