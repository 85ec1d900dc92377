/// The creation of a session, which is its first entry.
public struct Creation: Hashable, Sendable {
  public var hasToken: Bool
  public var facts: [String: Value]
  public var environment: [String: String]
  public var manualClock: Bool
  /// Whether the service does not send requests and token exchanges, because a tester answers them with `Command.answer`.
  public var manualRequests: Bool

  public init(
    hasToken: Bool = false, facts: [String: Value] = [:], environment: [String: String] = [:], manualClock: Bool = false,
    manualRequests: Bool = false
  ) {
    self.hasToken = hasToken
    self.facts = facts
    self.environment = environment
    self.manualClock = manualClock
    self.manualRequests = manualRequests
  }
}
