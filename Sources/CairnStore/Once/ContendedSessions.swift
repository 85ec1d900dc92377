/// The sessions that other nodes have changed recently. Their states in memory are compared with the journal before requests change them, which costs less than
/// a failed commit. Used by the writer's thread only.
struct ContendedSessions {
  /// The number of comparisons without a change after which a session is no longer compared.
  private static let most = 16
  /// The maximum number of sessions. When it is reached, all sessions are removed, and each of them may cost one failed commit later.
  private static let limit = 100_000

  private var left: [String: Int] = [:]

  var isEmpty: Bool { left.isEmpty }

  func contains(_ session: String) -> Bool { left[session] != nil }

  /// Adds a session that another node has changed.
  mutating func add(_ session: String) {
    if left.count >= Self.limit { left = [:] }
    left[session] = Self.most
  }

  /// Records that a session was compared and had not changed.
  mutating func noteUnchanged(_ session: String) {
    guard let count = left[session] else { return }
    left[session] = count > 1 ? count - 1 : nil
  }
}
