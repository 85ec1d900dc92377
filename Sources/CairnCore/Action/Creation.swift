/// How a session begins: its first entry.
public struct Creation: Hashable, Sendable, Codable {
  public var hasToken: Bool
  public var facts: [String: Value]
  public var environment: [String: String]
  public var manualClock: Bool

  public init(
    hasToken: Bool = false, facts: [String: Value] = [:], environment: [String: String] = [:], manualClock: Bool = false
  ) {
    self.hasToken = hasToken
    self.facts = facts
    self.environment = environment
    self.manualClock = manualClock
  }
}
