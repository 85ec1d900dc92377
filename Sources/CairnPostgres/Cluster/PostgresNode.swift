import CairnRuntime

/// A run of a node, as the database knows it.
package struct PostgresNode: Sendable {
  /// The machine and the process.
  package let name: String
  package let version: String
  /// The seconds since the start, and since the node was last seen.
  package let age, silence: Int

  /// The nodes that run, and those of the last hour that ended without a clean stop, the most recently seen first. Changes nothing.
  package static func all(_ target: PostgresTarget) throws(PostgresJournalError) -> [PostgresNode] {
    let connection = PostgresConnection(target, for: "nodes")
    defer { connection.close() }
    do throws(PostgresError) {
      return try connection.run(
        """
        SELECT name, version, extract(epoch FROM clock_timestamp() - min(started_at))::bigint,
          extract(epoch FROM clock_timestamp() - max(seen_at))::bigint
        FROM @nodes WHERE NOT has_ended GROUP BY name, version ORDER BY max(seen_at) DESC
        """, until: Monotonic.deadline(after: PostgresDatabase.timeout)
      ).rows.map { PostgresNode(name: $0.text(0), version: $0.text(1), age: $0.integer(2), silence: $0.integer(3)) }
    } catch {
      throw PostgresJournalError(error, target)
    }
  }
}
