import CairnCore
import CairnRuntime
package import CairnStore
import Foundation
import Glibc

// What nodes know of each other: the changes of sessions, and who runs which effects.
extension PostgresJournal {
  /// The maximum number of sessions that one call takes over from other nodes.
  private static let takeover = 1_000
  /// The seconds of changes that a first call returns. No commit takes longer.
  private static let window = 12

  package func changes(after cursor: ChangeCursor?) throws(JournalError) -> (changes: [SessionChange], cursor: ChangeCursor) {
    var cursor = cursor ?? ChangeCursor()
    let own = writing.withLock { $0.run }
    var parameters = Parameters()
    let runs = parameters.add(cursor.numbers.keys.map { Optional($0) })
    let numbers = parameters.add(cursor.numbers.values.map { Optional($0) })
    let run = parameters.add(own)
    let values = parameters
    // Each run counts its commits without gaps and one after the other, so nothing that it commits later has a lower number.
    let rows = try read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT n.run, c.number, c.sessions, c.revisions FROM @nodes n
        LEFT JOIN unnest(\(runs)::bigint[], \(numbers)::bigint[]) AS v (run, number) ON v.run = n.run
        CROSS JOIN LATERAL (SELECT c.number, c.sessions, c.revisions FROM @changes c WHERE c.run = n.run AND c.number > coalesce(v.number,
            (SELECT max(o.number) FROM @changes o WHERE o.run = n.run AND o.at < clock_timestamp() - interval '\(Self.window) s'), 0)
          ORDER BY c.number) c
        WHERE n.run <> \(run)::bigint ORDER BY n.run, c.number
        """, values, until: deadline
      ).rows
    }
    var changes: [SessionChange] = []
    for row in rows {
      cursor.numbers[row.integer(0)] = row.integer(1)
      for (session, revision) in zip(row.texts(2), row.integers(3)) {
        changes.append(SessionChange(session, revision: revision == 0 ? nil : revision))
      }
    }
    return (changes, cursor)
  }

  /// Takes over the effects of nodes whose leases have ended, and renews the leases of this node.
  package func claimEffects(until time: Int) throws(JournalError) -> [DueSession] {
    let own = writing.withLock { $0.run }
    var parameters = Parameters()
    let (run, last) = (parameters.add(own), parameters.add(time))
    let values = parameters
    // Rows that another node's statement holds are skipped, so no node takes over twice. The second part cannot see what the first one writes.
    return try write { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        WITH free AS MATERIALIZED (SELECT session FROM @heads WHERE due <= \(last)::bigint
            AND (driver IS NULL OR driven_until < \(CommitStatement.now)
              OR driver = \(run)::bigint AND driven_until < \(CommitStatement.now) + \(CommitStatement.lease / 3 * 2))
          ORDER BY due LIMIT \(Self.takeover) FOR NO KEY UPDATE SKIP LOCKED),
          mine AS (UPDATE @heads h SET driver = \(run)::bigint, driven_until = \(CommitStatement.now) + \(CommitStatement.lease)
            FROM free f WHERE h.session = f.session RETURNING h.session, h.due)
        SELECT s.id, x.due FROM (SELECT session, due FROM mine UNION
            SELECT session, due FROM @heads WHERE due <= \(last)::bigint AND driver = \(run)::bigint) x
          JOIN @sessions s ON s.number = x.session
        """, values, until: deadline
      ).rows.map { DueSession(id: $0.text(0), due: $0.integer(1)) }
    }
  }

  package func claim(_ task: BackgroundTask, for time: Int) throws(JournalError) -> Bool {
    let own = writing.withLock { $0.run }
    do throws(PostgresError) {
      return try pool.read { (connection, deadline) throws(PostgresError) in
        try Self.claim(task, for: time, own, connection, until: deadline)
      }
    } catch {
      throw JournalError(error)
    }
  }

  static func claim(
    _ task: BackgroundTask, for time: Int, _ run: Int, _ connection: PostgresConnection, until deadline: UInt64
  ) throws(PostgresError) -> Bool {
    var parameters = Parameters()
    let (name, number, span) = (parameters.add(task.rawValue), parameters.add(run), parameters.add(time))
    return try !connection.run(
      """
      INSERT INTO @tasks AS t (name, run, until) VALUES (\(name)::text, \(number)::bigint, \(CommitStatement.now) + \(span)::bigint)
      ON CONFLICT (name) DO UPDATE SET run = excluded.run, until = excluded.until
        WHERE t.run = excluded.run OR t.until < \(CommitStatement.now) RETURNING 1
      """, parameters, until: deadline
    ).rows.isEmpty
  }

  /// Registers this run, so that other nodes read its changes. Must precede its first commit.
  static func register(_ run: Int, _ version: String, _ connection: PostgresConnection, until deadline: UInt64) throws(PostgresError) {
    var parameters = Parameters()
    let (number, name, text) = (
      parameters.add(run), parameters.add("\(ProcessInfo.processInfo.hostName)/\(getpid())"), parameters.add(version)
    )
    _ = try connection.run(
      """
      INSERT INTO @nodes (run, name, version) VALUES (\(number)::bigint, \(name)::text, \(text)::text)
      ON CONFLICT (run) DO UPDATE SET seen_at = clock_timestamp()
      """, parameters, until: deadline)
  }

  /// Ends the leases and claims of this node, so that the others take over at once.
  static func release(_ run: Int, _ connection: PostgresConnection, until deadline: UInt64) throws(PostgresError) {
    var parameters = Parameters()
    let number = parameters.add(run)
    _ = try connection.run("UPDATE @heads SET driven_until = 0 WHERE driver = \(number)::bigint", parameters, until: deadline)
    _ = try connection.run("UPDATE @tasks SET until = 0 WHERE run = \(number)::bigint", parameters, until: deadline)
  }
}
