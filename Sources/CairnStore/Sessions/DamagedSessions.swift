import CairnRuntime

/// The sessions that readers or the sampler found damaged. The sampler removes sessions that are intact again or no longer exist. Thread-safe.
package final class DamagedSessions: Sendable {
  private let reasons = Lock<[String: String]>([:])
  private static let limit = 10_000

  init() {}

  /// The number of damaged sessions, counted up to ten thousand.
  package var count: Int { reasons.withLock { $0.count } }

  /// The damaged sessions, with the fault of each.
  package var all: [String: String] { reasons.withLock { $0 } }

  /// Marks a session as damaged. `reason` is for the log. Returns whether the session was unmarked before. At most ten thousand sessions
  /// are marked; beyond this number, the result is `false`.
  @discardableResult package func mark(_ session: String, reason: String) -> Bool {
    reasons.withLock { reasons in
      guard reasons[session] != nil || reasons.count < Self.limit else { return false }
      return reasons.updateValue(reason, forKey: session) == nil
    }
  }

  /// Removes the mark of a session that can be read or no longer exists.
  package func clear(_ session: String) {
    reasons.withLock { reasons in
      if !reasons.isEmpty { reasons[session] = nil }
    }
  }
}
