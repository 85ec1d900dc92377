/// The remains of deletions, which include forgotten history: rows that must be erased, and erased data that is still in the write-ahead
/// log. Times are `Monotonic` nanoseconds.
struct DeletionRemains: Sendable {
  /// The time of the oldest deletion whose rows may still exist; `nil` if there is none. `tombstones` is for the deletions before the last
  /// call of `begin`, and `late` for those since.
  private var tombstones: UInt64?
  private var late: UInt64?
  /// The time of the oldest deletion whose data the log may contain; `nil` if the log contains no deleted data.
  private(set) var oldestInLog: UInt64?

  init() {}

  /// Whether there are rows to erase.
  var hasTombstones: Bool { tombstones != nil || late != nil }

  /// The time of the oldest deletion with remains; `nil` if no deletion has remains.
  var oldest: UInt64? { [tombstones, late, oldestInLog].compactMap { $0 }.min() }

  /// The time since the oldest deletion with remains; 0 if no deletion has remains.
  func age(at now: UInt64) -> UInt64 { oldest.map { now > $0 ? now - $0 : 0 } ?? 0 }

  /// Records a deletion.
  mutating func noteDeletion(at now: UInt64) { late = late ?? now }

  /// Starts erasing rows. Returns the time of the oldest deletion that the erasure may complete; `nil` if no rows need to be erased.
  mutating func begin() -> UInt64? {
    tombstones = tombstones ?? late
    late = nil
    return tombstones
  }

  /// Records that no rows are left of the deletions before the call of `begin` that returned `begun`.
  mutating func erased(_ begun: UInt64?) {
    guard let begun else { return }
    oldestInLog = min(oldestInLog ?? begun, begun)
    tombstones = nil
  }

  /// Records that the log was emptied. `before` is the value of `oldestInLog` when the emptying began. If `oldestInLog` has changed since, it is kept.
  mutating func emptied(_ before: UInt64?) {
    if oldestInLog == before { oldestInLog = nil }
  }
}
