/// How long something took, again and again: counts by upper bound, as histograms show them.
package struct Durations: Hashable, Sendable {
  /// Upper bounds in nanoseconds, of every histogram there is: at most a factor of 2.5 between two up to a second, for objectives.
  package static let bounds: [UInt64] = [
    100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000,
    1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000, 30_000_000_000,
  ]

  /// By bound, not summed up; the last one is for all that is longer.
  package private(set) var counts = [Int](repeating: 0, count: Durations.bounds.count + 1)
  /// Nanoseconds of all together.
  package private(set) var sum: UInt64 = 0
  /// Nanoseconds of the longest.
  package private(set) var longest: UInt64 = 0

  package init() {}

  /// How often.
  package var count: Int { counts.reduce(0, +) }

  /// It took so many nanoseconds.
  package mutating func add(_ nanoseconds: UInt64) {
    counts[Self.bounds.firstIndex { nanoseconds <= $0 } ?? Self.bounds.count] += 1
    sum &+= nanoseconds
    longest = max(longest, nanoseconds)
  }
}
