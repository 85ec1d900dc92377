import CairnCore
import CairnJournal

/// The data about a session that a node caches, so that a commit needs no lookup. If another node also writes to the session, the counts
/// are too low, and the next snapshot is written later than otherwise.
struct KnownSession: Sendable {
  /// The number of the session's rows. A session that is deleted and created again gets a different number.
  var number: Int
  /// The number of entries since the last snapshot, and their size in bytes.
  var entries: Int
  var bytes: Int
  /// The size of the last snapshot in bytes; without a snapshot, the size of the entries of the first commit.
  var snapshot: Int
  /// The size of all entries and snapshots in bytes.
  var total: Int

  /// Throws `unreadable` if a count is damaged, so that sums of counts cannot overflow. Otherwise returns this value unchanged.
  func checked(_ id: String) throws(JournalError) -> KnownSession {
    for count in [number, entries, bytes, snapshot, total] where !(0...State.highestNumber).contains(count) {
      throw .unreadable("session \(id): a count in its head is outside the allowed range")
    }
    return self
  }

  /// Whether a snapshot should be written: there are 256 entries, or there are at least 16 entries that have reached the size of the last
  /// snapshot.
  var needsSnapshot: Bool { entries >= 256 || (entries >= 16 && bytes >= snapshot) }
}
