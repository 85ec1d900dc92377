/// A number of requests per period, written as `100/s`, `600/m` or `50/h`. It is a token bucket of that size which fills evenly within the period.
/// The same rate over a longer period allows longer bursts.
package struct Rate: Sendable, Equatable {
  package let count: Int
  /// The period in nanoseconds.
  package let period: UInt64

  /// Parses a rate. The number must be from 1 to one million.
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
