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

    /// A state is to be written when the entries since the last one weigh as much as it did, so that states make a commit no more than
    /// twice as heavy; not before there are 16, and not after 256, so that what a miss reads is bounded.
    var isEnough: Bool { entries >= 256 || (entries >= Self.fewest && bytes >= snapshot) }

    /// No snapshot stands before this revision.
    static let fewest = 16
  }
}
