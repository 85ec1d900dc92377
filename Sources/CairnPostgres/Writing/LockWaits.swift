import CairnRuntime

/// Finds out which processes hold the locks that this node's writer waits for, and lets the rest of a batch fail at once after it has waited in vain. Any
/// thread.
final class LockWaits: Sendable {
  private struct Contents {
    /// The processes in the way of the statement in progress, or of the last one.
    var holders: String?
    var count = 0
    /// The time until which statements fail without waiting.
    var end: UInt64 = 0
  }

  private let contents = Lock(Contents())
  private let pool: ConnectionPool

  /// The time that the other statements of a batch have to fail.
  private static let pause = Duration.milliseconds(250)

  /// `pool` has the connections with which the server is asked.
  init(_ pool: ConnectionPool) { self.pool = pool }

  /// The number of statements that waited in vain. Those that failed without waiting do not count.
  var count: Int { contents.withLock { $0.count } }

  /// Throws if a statement has just waited in vain. Called before each statement of the writer.
  func check() throws(PostgresError) {
    let (end, holders) = contents.withLock { ($0.end, $0.holders) }
    guard Monotonic.now() < end else { return contents.withLock { $0.holders = nil } }
    var error = PostgresError(state: "55P03", text: "the last statement waited for a lock in vain")
    (error.holders, error.isRepeated) = (holders, true)
    throw error
  }

  /// Asks the server which processes a waiting one waits for. Called while it waits.
  func look(for process: Int) {
    var parameters = Parameters()
    let waiting = parameters.add(process)
    let values = parameters
    // What cannot be found out, such as through a pooler, is not reported; the lock itself is.
    let rows = try? pool.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT pid::bigint, coalesce(usename::text, ''), coalesce(application_name, ''), coalesce(client_addr::text, 'local'), coalesce(state, ''),
          coalesce(extract(epoch FROM clock_timestamp() - xact_start), 0)::bigint
        FROM pg_stat_activity WHERE pid = ANY(pg_blocking_pids(\(waiting)::bigint::integer)) ORDER BY xact_start LIMIT 3
        """, values, until: deadline)
    }.rows
    let holders = (rows ?? []).map { row in
      let name = row.text(2).isEmpty ? "" : ", \(row.text(2))"
      return
        "process \(row.integer(0)) at the server (user \(row.text(1))\(name), from \(row.text(3)), \(row.text(4)), in a transaction for "
        + "\(row.integer(5)) s)"
    }
    contents.withLock { $0.holders = holders.isEmpty ? nil : holders.joined(separator: "; ") }
  }

  /// Records how a statement has ended. Returns the error with the processes that were in its way.
  func ended(_ error: PostgresError) -> PostgresError {
    guard error.isOfLock, !error.isRepeated else { return error }
    let end = Monotonic.deadline(after: Self.pause)
    var error = error
    error.holders = contents.withLock { contents in
      contents.end = end
      contents.count += 1
      return contents.holders
    }
    return error
  }
}
