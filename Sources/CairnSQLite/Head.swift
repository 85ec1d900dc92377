/// Where a session stands.
struct Head: Sendable {
  /// Of the session.
  var number: Int
  var revision: Int
  /// The newest of its entries.
  var entry: Int
  /// That entry's.
  var hash: UInt64
  /// Milliseconds since 1970.
  var updatedAt: Int
  /// When its effects have to be looked at; nil: never.
  var due: Int?
  /// The entries since its last snapshot; `nil`: unknown, because it was read from the disk.
  var since: Since?

  struct Since: Sendable {
    var entries: Int
    var bytes: Int
    /// Bytes of that snapshot; of the first entry before there is one.
    var snapshot: Int
    /// Bytes of the session's whole journal, snapshots included.
    var total = 0

    /// Whether to write a snapshot: when the entries since the last one are as large as it, so that snapshots at most double the size of
    /// commits. Never before 16 entries, and always after 256, which bounds the reads of a miss.
    var isEnough: Bool { entries >= 256 || (entries >= 16 && bytes >= snapshot) }
  }
}
