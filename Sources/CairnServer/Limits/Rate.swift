/// A number of tokens per period, written `100/s`, `600/m`, `50/h` or `1000/d`. A bucket holds this number of tokens and is refilled evenly
/// over the period. At the same average rate, a longer period allows larger bursts.
package struct Rate: Sendable, Equatable {
  package let count: Int
  /// The period, in nanoseconds.
  package let period: UInt64

  /// Parses a rate of 1 to 1,000,000 tokens per second, minute, hour or day; `nil` for any other text.
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
