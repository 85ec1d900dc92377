/// So many in a while, spelled `100/s`, `600/m` or `50/h`: a bucket of that many tokens, filled again evenly within the while. The same rate
/// in a longer while lets more through at once.
package struct Rate: Sendable, Equatable {
  package let count: Int
  /// Nanoseconds.
  package let period: UInt64

  /// At least 1 and at most a million in the while.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count), let seconds = Self.units[String(parts[1])] else {
      return nil
    }
    self.count = count
    period = seconds * 1_000_000_000
  }

  private static let units: [String: UInt64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
}
