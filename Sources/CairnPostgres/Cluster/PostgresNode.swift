import CairnRuntime

/// A node as the database stores it. All runs of its process are combined.
package struct PostgresNode: Sendable {
  /// The name of the machine and the id of the process (`NodeName`).
  package let name: String
  package let version: String
  /// The seconds since the start of the node, and since its last report.
  package let age, silence: Int

  /// Returns the running nodes, and the nodes that ended without a clean stop, until their rows are deleted: an hour after their last
  /// report or later. The node with the newest report is first. Changes nothing.
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
