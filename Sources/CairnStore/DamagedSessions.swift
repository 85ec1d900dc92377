import CairnRuntime

/// Sessions that a reader or the sampler found to be damaged. The sampler also removes them again. Any thread.
package final class DamagedSessions: Sendable {
  private let reasons = Lock<[String: String]>([:])
  private static let limit = 10_000

  init() {}

  /// How many there are; beyond ten thousand they are not counted.
  package var count: Int { reasons.withLock { $0.count } }

  /// Those that are known, with what is wrong with each.
  package var all: [String: String] { reasons.withLock { $0 } }

  /// A session cannot be read; true: that is news. The reason is for the log.
  @discardableResult package func mark(_ session: String, reason: String) -> Bool {
    reasons.withLock { reasons in
      guard reasons[session] != nil || reasons.count < Self.limit else { return false }
      return reasons.updateValue(reason, forKey: session) == nil
    }
  }

  /// A session can be read, or is gone.
  package func clear(_ session: String) {
    reasons.withLock { reasons in
      if !reasons.isEmpty { reasons[session] = nil }
    }
  }
}
