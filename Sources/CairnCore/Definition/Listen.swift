/// The conditions under which a contribution's steps are accepted (RxFlow's allow flags).
public struct Listen: Hashable, Sendable {
  /// Whether they are accepted while the node is covered.
  public var hidden: Bool
  /// Whether they are accepted after the node was removed, until its flow ends.
  public var dismissed: Bool

  public init(hidden: Bool = false, dismissed: Bool = false) {
    self.hidden = hidden
    self.dismissed = dismissed
  }
}
