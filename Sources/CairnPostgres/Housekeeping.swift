import CairnRuntime

/// Work on the database that some node has to do: it tells that this node runs, deletes old rows of `changes` and `nodes`, and erases the pages of
/// deleted sessions. Several nodes may do it at the same time.
final class Housekeeping: Sendable {
  private let connection: PostgresConnection
  private let run: @Sendable () -> Int
  private let version: String
  private let isOpen = Monitor(true)
  private let thread = Lock<NamedThread?>(nil)

  /// The nanoseconds between two rounds.
  private static let interval: UInt64 = 5_000_000_000
  /// The maximum number of rows that one statement deletes, so that it holds locks for a short time only.
  private static let stride = 500

  /// `run` returns the current run of this node.
  init(_ target: PostgresTarget, version: String, run: @escaping @Sendable () -> Int) {
    connection = PostgresConnection(target, for: "housekeeping")
    self.version = version
    self.run = run
  }

  func start() throws(ThreadError) {
    let new = try NamedThread("cairn-tidy") { [self] in
      var next = Monotonic.now()
      while isOpen.wait(until: next, { $0 ? nil : false }) ?? true {
        // A failed round is repeated by the next one.
        try? tidy(until: Monotonic.deadline(after: PostgresJournal.patience))
        next = Monotonic.now() + Self.interval
      }
      connection.close()
    }
    thread.withLock { $0 = new }
  }

  func stop() {
    isOpen.change { $0 = false }
    thread.withLock { $0 }?.join()
  }

  private func tidy(until deadline: UInt64) throws(PostgresError) {
    try PostgresJournal.register(run(), version, connection, until: deadline)
    _ = try connection.run(
      """
      DELETE FROM @changes WHERE (run, number) IN (SELECT run, number FROM @changes WHERE at < clock_timestamp() - interval '10 min'
        ORDER BY at LIMIT \(10 * Self.stride) FOR UPDATE SKIP LOCKED)
      """, until: deadline)
    _ = try connection.run("DELETE FROM @nodes WHERE seen_at < clock_timestamp() - interval '1 h'", until: deadline)
    _ = try connection.run("DELETE FROM @tickets WHERE until < \(CommitStatement.now) - 3600000", until: deadline)
    while try erase(until: deadline), isOpen.withLock({ $0 }) {}
  }

  /// Erases some rows of deleted sessions. Returns whether there may be more.
  private func erase(until deadline: UInt64) throws(PostgresError) -> Bool {
    let erased = try connection.run(
      """
      WITH tombstone AS MATERIALIZED (SELECT session FROM @tombstones LIMIT 1 FOR UPDATE SKIP LOCKED),
        some AS MATERIALIZED (SELECT p.session, p.revision FROM @pages p JOIN tombstone USING (session) ORDER BY p.revision LIMIT \(Self.stride)),
        gone AS (DELETE FROM @pages p USING some s WHERE p.session = s.session AND p.revision = s.revision),
        gone_snapshots AS (DELETE FROM @snapshots x USING tombstone g WHERE x.session = g.session),
        done AS (DELETE FROM @tombstones x USING tombstone g WHERE x.session = g.session AND (SELECT count(*) FROM some) < \(Self.stride))
      SELECT count(*) FROM tombstone
      """, until: deadline)
    return erased.first?.integer(0) ?? 0 > 0
  }
}
