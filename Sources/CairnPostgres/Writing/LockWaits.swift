import CairnRuntime

/// Determines which processes hold the locks that this node's writer waits for. After a statement has waited for a lock without success,
/// makes the rest of the batch fail immediately. Thread-safe.
final class LockWaits: Sendable {
  private struct Contents {
    /// The processes that blocked the statement in progress, or the last one; `nil` if they are unknown.
    var holders: String?
    var count = 0
    /// The time until which statements fail without waiting (`Monotonic`).
    var end: UInt64 = 0
  }

  private let contents = Lock(Contents())
  private let pool: ConnectionPool

  /// The time after an unsuccessful wait for a lock during which statements of the writer fail without waiting.
  private static let pause = Duration.milliseconds(250)

  /// Creates a recorder of waits. `pool` contains the connections for queries about locks.
  init(_ pool: ConnectionPool) { self.pool = pool }

  /// The number of statements that waited for a lock without success. Statements that failed without waiting do not count.
  var count: Int { contents.withLock { $0.count } }

  /// Throws if a statement waited for a lock without success less than `pause` ago. Must be called before each statement of the writer.
  func check() throws(PostgresError) {
    let (end, holders) = contents.withLock { ($0.end, $0.holders) }
    guard Monotonic.now() < end else { return contents.withLock { $0.holders = nil } }
    var error = PostgresError(state: "55P03", text: "the last statement did not get a lock in time")
    (error.holders, error.isRepeated) = (holders, true)
    throw error
  }

  /// Queries the server for the processes that hold the locks which `process` waits for. Called during the wait.
  func look(for process: Int) {
    var parameters = Parameters()
    let waiting = parameters.add(process)
    let values = parameters
    // If the query fails, for example because of a pooler, the error later reports the wait without the processes.
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

  /// Must be called with each error of a statement of the writer. If the statement waited for a lock without success, counts the wait,
  /// makes statements fail immediately for the time `pause`, and returns the error with the processes that held the lock. Returns any other
  /// error unchanged.
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
