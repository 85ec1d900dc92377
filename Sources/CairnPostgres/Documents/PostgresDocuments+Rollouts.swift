import CairnCore
import CairnRuntime
import CairnJournal

// The newest rollout of each app.
extension PostgresDocuments {
  func rollouts() throws(JournalError) -> StoredRollouts {
    let rows = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run("SELECT app, version, content FROM @rollouts ORDER BY app", until: deadline)
    }.rows
    var found = StoredRollouts()
    for row in rows { found.add(app: row.text(0), version: row.integer(1), content: row.text(2)) }
    return found
  }

  func keep(_ rollout: Rollout, after version: Int) throws(JournalError) {
    var parameters = Parameters()
    let text = Self.statement(RolloutChange(rollout, known: version), &parameters)
    let all = parameters
    let rows = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(RowCounts.counting(text, in: "rollouts"), all, until: deadline)
    }.rows
    guard !rows.isEmpty else { throw .outdated(app: rollout.app) }
  }

  /// The statement that stores a rollout, unless the app's version has changed.
  static func statement(_ change: RolloutChange, _ parameters: inout Parameters) -> String {
    let app = parameters.add(change.rollout.app)
    let (next, known) = (parameters.add(change.rollout.version), parameters.add(change.known))
    let content = parameters.add(change.rollout.content)
    return """
      INSERT INTO @rollouts AS r (app, version, content) SELECT \(app)::text, \(next)::bigint, \(content)::text
        WHERE \(known)::bigint = 0 OR EXISTS (SELECT FROM @rollouts o WHERE o.app = \(app)::text)
      ON CONFLICT (app) DO UPDATE SET version = excluded.version, content = excluded.content WHERE r.version = \(known)::bigint
      """
  }
}
