/// A histogram of durations: the number of observations per upper bound.
package struct Durations: Hashable, Sendable {
  /// The upper bounds in nanoseconds, shared by all histograms. Up to one second, neighboring bounds differ by at most a factor of 2.5, which is precise
  /// enough for service level objectives.
  package static let bounds: [UInt64] = [
    100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000,
    1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000, 30_000_000_000,
  ]

  /// The counts per bound, not cumulative. The last count is for longer durations.
  package private(set) var counts = [Int](repeating: 0, count: Durations.bounds.count + 1)
  /// The sum of all durations in nanoseconds.
  package private(set) var sum: UInt64 = 0
  /// The longest duration in nanoseconds.
  package private(set) var longest: UInt64 = 0

  package init() {}

  /// The number of observations.
  package var count: Int { counts.reduce(0, +) }

  /// Adds a duration in nanoseconds.
  package mutating func add(_ nanoseconds: UInt64) {
    counts[Self.bounds.firstIndex { nanoseconds <= $0 } ?? Self.bounds.count] += 1
    sum &+= nanoseconds
    longest = max(longest, nanoseconds)
  }
}
