/// A removed screen whose steps its flow still handles (RxFlow's allowStepWhenDismissed).
public struct Listener: Hashable, Sendable {
  public var node: NodeID
  public var screen: String
  public var flow: NodeID

  public init(node: NodeID, screen: String, flow: NodeID) {
    self.node = node
    self.screen = screen
    self.flow = flow
  }

  /// Whether the listener is a `screen` flow, which handles its own steps. Its node is kept outside the tree.
  public var isFlow: Bool { node == flow }
}
