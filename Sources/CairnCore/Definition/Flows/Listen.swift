/// The steps of a node that are handled although the node is not visible (RxFlow's allow flags).
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
