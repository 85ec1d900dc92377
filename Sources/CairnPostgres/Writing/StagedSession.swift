/// The entries of a session that does not exist yet. Their rows have a tombstone. For a limited time, a row of `tasks` prevents all nodes
/// from erasing these rows. Each further call of `stage` extends this time. So the staged entries of a node that has ended are erased soon.
struct StagedSession: Sendable {
  /// The number of the session's rows.
  let number: Int
  /// The total bytes of the entries and snapshots, and the bytes of the last snapshot.
  var total = 0
  var snapshot = 0

  /// The prefix of the name of a row of `tasks` that keeps staged entries. The session's number follows the prefix.
  static let task = "import:"
  /// The milliseconds for which staged entries are kept, and the part of this time that must be left at the commit that creates the
  /// session. This part is longer than a statement takes.
  static let lease = 60_000
  static let margin = 20_000

  /// The SQL condition that a row `t` of the table `tasks` keeps staged entries for at least `margin` more milliseconds. It is false for a damaged
  /// row, which would keep them for longer than `lease`.
  static func isKept(for margin: Int = 0) -> String {
    "t.until BETWEEN \(CommitStatement.now) + \(margin) AND \(CommitStatement.now) + \(lease)"
  }
}
