import CairnJournal

/// The newest revision and entry of a session, and its statistics.
struct Head: Sendable {
  /// The number of the session.
  var number: Int
  var revision: Int
  /// The number of the newest entry; 0 if it was forgotten.
  var entry: Int
  /// The hash of the newest entry.
  var hash: UInt64
  /// The time of the newest entry in milliseconds since 1970.
  var updatedAt: Int
  /// The time at which the session's next effect is due, in milliseconds since 1970; `nil` if no effect has a due time.
  var due: Int?
  /// The entries since the last snapshot; `nil` if they are unknown, because the head was read from disk.
  var since: Since?
  /// The beginning of the session's journal; `nil` if nothing was forgotten.
  var beginning: Beginning?

  var version: SessionVersion { SessionVersion(revision, hash: hash, beginning: beginning?.revision ?? 0) }

  struct Since: Sendable {
    var entries: Int
    var bytes: Int
    /// The size of the last snapshot in bytes; before the first snapshot, the size of the first entry.
    var snapshot: Int
    /// The size of the session's journal in bytes, including snapshots and forgotten entries.
    var total = 0
    /// The part of `total` that was forgotten.
    var forgotten = 0

    /// The size in bytes of the part of the session's journal that is not forgotten.
    var size: Int { total - forgotten }

    /// Whether a snapshot should be written, because the entries since the last snapshot have reached its size. So snapshots at most double
    /// the written data. Between two snapshots there are at least 16 entries, and at most 256 plus those of one commit. This maximum bounds
    /// the number of rows that must be read.
    var isEnough: Bool { entries >= 256 || (entries >= Self.fewest && bytes >= snapshot) }

    /// The minimum number of entries before a snapshot.
    static let fewest = 16
  }
}
