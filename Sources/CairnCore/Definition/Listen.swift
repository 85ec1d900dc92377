/// Which steps of a contribution pass the gate (RxFlow's allow flags).
public struct Listen: Hashable, Sendable {
  /// Also while it is covered.
  public var hidden: Bool
  /// Also when it is gone, until its flow ends.
  public var dismissed: Bool

  public init(hidden: Bool = false, dismissed: Bool = false) {
    self.hidden = hidden
    self.dismissed = dismissed
  }
}
