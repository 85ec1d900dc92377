/// How a session begins: its first entry.
public struct Creation: Hashable, Sendable, Codable {
  public var hasToken: Bool
  public var facts: [String: Value]
  public var environment: [String: String]
  public var manualClock: Bool
  /// Requests and token calls leave the machine no more: who tests answers them (`Command.answer`).
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

  private enum CodingKeys: String, CodingKey { case hasToken, facts, environment, manualClock, manualRequests }

  /// What was written before there were manual requests has none.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      hasToken: try members.decode(Bool.self, forKey: .hasToken), facts: try members.decode([String: Value].self, forKey: .facts),
      environment: try members.decode([String: String].self, forKey: .environment),
      manualClock: try members.decode(Bool.self, forKey: .manualClock),
      manualRequests: try members.decodeIfPresent(Bool.self, forKey: .manualRequests) ?? false)
  }
}
