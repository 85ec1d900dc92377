/// The entries of a session that does not exist yet. Their rows have a tombstone. A row of `tasks` keeps all nodes from erasing them for a time, which
/// each commit extends; so those of a node that ended are erased soon.
struct StagedSession: Sendable {
  /// The number of the session's rows.
  let number: Int
  /// The bytes of the entries and snapshots, and those of the last snapshot.
  var total = 0
  var snapshot = 0

  /// The beginning of the names of the rows of `tasks`, which end with the session's number.
  static let task = "import:"
  /// The milliseconds for which staged entries are kept, and those that must be left at the commit which creates the session: more than a statement takes.
  static let lease = 60_000
  static let margin = 20_000

  /// Whether a row `t` of `tasks` still keeps entries for a number of milliseconds, in SQL. One that ends too late is damaged.
  static func isKept(for margin: Int = 0) -> String {
    "t.until BETWEEN \(CommitStatement.now) + \(margin) AND \(CommitStatement.now) + \(lease)"
  }
}
