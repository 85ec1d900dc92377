/// Whether the steps of a node are handled while the node is covered, and after the node has been removed (RxFlow's allow flags).
public struct Listen: Hashable, Sendable {
  /// Steps of the covered node are handled.
  public var hidden: Bool
  /// Steps of the removed node are handled until its flow ends.
  public var dismissed: Bool

  public init(hidden: Bool = false, dismissed: Bool = false) {
    self.hidden = hidden
    self.dismissed = dismissed
  }
}
