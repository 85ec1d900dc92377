import CairnCore
import CairnRuntime
package import CairnStore

// The newest rollout of each app.
extension PostgresJournal {
  package func rollouts() throws(JournalError) -> [Rollout] {
    let rows = try read { (connection, deadline) throws(PostgresError) in
      try connection.run("SELECT content FROM @rollouts ORDER BY app", until: deadline)
    }.rows
    var found: [Rollout] = []
    for row in rows {
      do throws(UnreadableFormat) {
        found.append(try RolloutFormat.read(Array(row.text(0).utf8)))
      } catch {
        throw .unreadable("a rollout: \(error.reason)")
      }
    }
    return found
  }

  package func keep(_ rollout: Rollout, after version: Int) throws(JournalError) {
    var parameters = Parameters()
    let app = parameters.add(rollout.app)
    let (next, known) = (parameters.add(rollout.version), parameters.add(version))
    let content = parameters.add(String(decoding: RolloutFormat.bytes(rollout), as: UTF8.self))
    let text = """
      INSERT INTO @rollouts AS r (app, version, content) SELECT \(app)::text, \(next)::bigint, \(content)::text
        WHERE \(known)::bigint = 0 OR EXISTS (SELECT FROM @rollouts o WHERE o.app = \(app)::text)
      ON CONFLICT (app) DO UPDATE SET version = excluded.version, content = excluded.content WHERE r.version = \(known)::bigint
      """
    let all = parameters
    let rows = try read { (connection, deadline) throws(PostgresError) in
      try connection.run(RowCounts.counting(text, in: "rollouts"), all, until: deadline)
    }.rows
    guard !rows.isEmpty else { throw .outdated(app: rollout.app) }
  }
}
