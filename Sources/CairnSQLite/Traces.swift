/// The traces of deleted sessions: rows that are still to be erased, and erased data that is still in the log of writes. Moments are
/// `Monotonic` nanoseconds.
struct Traces: Sendable {
  /// The oldest deletion whose rows may be there, of those before `begin` and of those since.
  private var tombstones: UInt64?
  private var late: UInt64?
  /// The oldest deletion that the log holds.
  private(set) var stains: UInt64?

  init() {}

  /// Whether there are rows to erase.
  var hasTombstones: Bool { tombstones != nil || late != nil }

  /// The oldest deletion with remaining traces; `nil` if there are none.
  var oldest: UInt64? { [tombstones, late, stains].compactMap { $0 }.min() }

  /// For how long something has been left.
  func age(at now: UInt64) -> UInt64 { oldest.map { now > $0 ? now - $0 : 0 } ?? 0 }

  /// A session was deleted.
  mutating func bury(at now: UInt64) { late = late ?? now }

  /// Some rows are to be erased; gives the oldest deletion that this may be the end of.
  mutating func begin() -> UInt64? {
    tombstones = tombstones ?? late
    late = nil
    return tombstones
  }

  /// No rows were left of the sessions that were deleted before `begun`.
  mutating func erased(_ begun: UInt64?) {
    guard let begun else { return }
    stains = min(stains ?? begun, begun)
    tombstones = nil
  }

  /// The log was emptied, which held these stains before.
  mutating func emptied(_ before: UInt64?) {
    if stains == before { stains = nil }
  }
}
