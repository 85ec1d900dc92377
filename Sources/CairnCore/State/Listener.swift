/// A removed screen whose steps still reach its flow (RxFlow's allowStepWhenDismissed).
public struct Listener: Hashable, Sendable {
  public var node: NodeID
  public var screen: String
  public var flow: NodeID

  public init(node: NodeID, screen: String, flow: NodeID) {
    self.node = node
    self.screen = screen
    self.flow = flow
  }

  /// Whether the removed screen was a `screen` flow. Such a flow handles its own steps, and its node is kept outside of the tree.
  public var isFlow: Bool { node == flow }
}
