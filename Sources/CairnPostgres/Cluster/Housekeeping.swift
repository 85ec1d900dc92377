import CairnRuntime
import CairnJournal
import Synchronization

/// Reports to the database every 5 seconds that this node is running. The node that has claimed the task `erasure` also deletes old rows,
/// erases the rows of deleted sessions and of forgotten history, and processes the list of erasures.
final class Housekeeping: Sendable {
  private let connection: PostgresConnection
  private let node: Int
  private let run: @Sendable () -> Int
  private let version: String
  private let faults: BackgroundFaults
  private let isOpen = Monitor(true)
  private let thread = Lock<NamedThread?>(nil)
  private let lateness = Atomic(0)

  /// The interval between two rounds, in nanoseconds.
  private static let interval: UInt64 = 5_000_000_000
  /// The number of rounds between two deletions of old rows.
  private static let rounds = 12
  /// The time for which a node claims the task `erasure`, in milliseconds.
  private static let lease = 30_000
  /// The maximum number of rows that one statement deletes, so that the statement holds its locks only for a short time.
  private static let stride = 500

  /// Creates the background work. `node` is the first run of this process, and `run` returns the current run.
  init(_ target: PostgresTarget, version: String, node: Int, _ faults: BackgroundFaults, run: @escaping @Sendable () -> Int) {
    connection = PostgresConnection(target, for: "housekeeping")
    self.version = version
    self.node = node
    self.faults = faults
    self.run = run
  }

  /// The delay of the most overdue effect of any node, in milliseconds; 0 if no effect is overdue. Only the node that has claimed the task
  /// `erasure` measures it; the other nodes report 0.
  var oldestEffectAge: Int { lateness.load(ordering: .relaxed) }

  /// Starts the thread. In each round in which this node holds the claim of the task `erasure`, the thread calls `repeatErasures`, which
  /// processes the list of erasures. Throws if no thread can be created.
  func start(_ repeatErasures: @escaping @Sendable () throws(JournalError) -> Void) throws(ThreadError) {
    let new = try NamedThread("cairn-tidy") { [self] in
      var next = Monotonic.now()
      var round = 0
      while isOpen.wait(until: next, { $0 ? nil : false }) ?? true {
        // A failed part is retried in the next round.
        if attempt(.presence, { () throws(PostgresError) in try report() }) != nil,
          attempt(.erasure, { () throws(PostgresError) in try tidy(isLong: round % Self.rounds == 0) }) == true,
          faults.attempt(.erasure, { () throws(JournalError) in try repeatErasures() }) != nil
        {
          faults.succeeded(.erasure)
        }
        round += 1
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

  /// Runs a part of a round. If it throws, records the failure and returns `nil`.
  private func attempt<Result>(_ task: BackgroundTask, _ work: () throws(PostgresError) -> Result) -> Result? {
    do throws(PostgresError) {
      let result = try work()
      // The task `erasure` has several parts, and counts as successful only if all of them succeed.
      if task != .erasure { faults.succeeded(task) }
      return result
    } catch {
      faults.note(task, error.description)
      return nil
    }
  }

  /// Reports to the database that this node is running.
  private func report() throws(PostgresError) {
    let deadline = Monotonic.deadline(after: PostgresDatabase.timeout)
    for run in Set([node, run()]) { try PostgresCluster.register(run, version, connection, until: deadline) }
  }

  /// Erases the rows of deleted sessions and of forgotten history. If `isLong` is true, also measures the most overdue effect, and deletes
  /// outdated changes, nodes, staging tasks and tickets. Returns `false`, and does nothing, if another node holds the claim for this work.
  private func tidy(isLong: Bool) throws(PostgresError) -> Bool {
    let deadline = Monotonic.deadline(after: PostgresDatabase.timeout)
    guard try PostgresCluster.claim(.erasure, for: Self.lease, node, connection, until: deadline) else {
      lateness.store(0, ordering: .relaxed)
      return false
    }
    if isLong {
      try measureLateness(until: deadline)
      while try forgetChanges(), isOpen.withLock({ $0 }) {}
      _ = try connection.run(
        "DELETE FROM @nodes n WHERE seen_at < clock_timestamp() - interval '1 h' AND NOT EXISTS (SELECT FROM @effects e WHERE e.run = n.run)",
        until: deadline)
      _ = try connection.run(
        "DELETE FROM @tasks WHERE name LIKE '\(StagedSession.task)%' AND until < \(CommitStatement.now) - 3600000", until: deadline)
      _ = try connection.run("DELETE FROM @tickets WHERE until < \(CommitStatement.now) - 3600000", until: deadline)
    }
    while try erase(), isOpen.withLock({ $0 }) {}
    while try eraseForgotten(), isOpen.withLock({ $0 }) {}
    return true
  }

  private func measureLateness(until deadline: UInt64) throws(PostgresError) {
    let oldest = try connection.run(
      "SELECT \(CommitStatement.now) - greatest(min(h.due), 0) FROM @heads h WHERE EXISTS (SELECT FROM @effects e WHERE e.session = h.session)",
      until: deadline)
    lateness.store(max(0, oldest.first?.optionalInteger(0) ?? 0), ordering: .relaxed)
  }

  /// Deletes some old rows of `changes`. Returns whether more such rows may exist.
  private func forgetChanges() throws(PostgresError) -> Bool {
    let most = 10 * Self.stride
    let gone = try connection.run(
      """
      WITH gone AS (DELETE FROM @changes WHERE (run, number) IN (SELECT run, number FROM @changes
        WHERE at < clock_timestamp() - interval '10 min' ORDER BY at LIMIT \(most) FOR UPDATE SKIP LOCKED) RETURNING 1)
      SELECT count(*) FROM gone
      """, until: Monotonic.deadline(after: PostgresDatabase.timeout))
    return gone.first?.integer(0) ?? 0 >= most
  }

  /// Erases some rows of deleted sessions. Returns whether more such rows may exist.
  private func erase() throws(PostgresError) -> Bool {
    let erased = try connection.run(
      """
      WITH tombstone AS MATERIALIZED (SELECT session FROM @tombstones x
          WHERE NOT EXISTS (SELECT FROM @tasks t WHERE t.name = '\(StagedSession.task)' || x.session AND \(StagedSession.isKept()))
          LIMIT 1 FOR UPDATE OF x SKIP LOCKED),
        chosen AS MATERIALIZED (SELECT p.session, p.revision FROM @pages p JOIN tombstone USING (session) ORDER BY p.revision LIMIT \(Self.stride)),
        gone AS (DELETE FROM @pages p USING chosen s WHERE p.session = s.session AND p.revision = s.revision),
        gone_snapshots AS (DELETE FROM @snapshots x USING tombstone g WHERE x.session = g.session),
        done AS (DELETE FROM @tombstones x USING tombstone g WHERE x.session = g.session AND (SELECT count(*) FROM chosen) < \(Self.stride))
      SELECT count(*) FROM tombstone
      """, until: Monotonic.deadline(after: PostgresDatabase.timeout))
    return erased.first?.integer(0) ?? 0 > 0
  }

  /// Erases some rows of forgotten history. Returns whether more such rows may exist.
  private func eraseForgotten() throws(PostgresError) -> Bool {
    let erased = try connection.run(
      """
      WITH part AS MATERIALIZED (SELECT session, revision FROM @forgotten LIMIT 1 FOR UPDATE SKIP LOCKED),
        chosen AS MATERIALIZED (SELECT p.session, p.revision FROM @pages p JOIN part f ON p.session = f.session AND p.revision <= f.revision
          ORDER BY p.revision LIMIT \(Self.stride)),
        gone AS (DELETE FROM @pages p USING chosen s WHERE p.session = s.session AND p.revision = s.revision),
        gone_snapshots AS (DELETE FROM @snapshots x USING part f WHERE x.session = f.session AND x.revision < f.revision),
        done AS (DELETE FROM @forgotten x USING part f WHERE x.session = f.session AND x.revision = f.revision
          AND (SELECT count(*) FROM chosen) < \(Self.stride))
      SELECT count(*) FROM part
      """, until: Monotonic.deadline(after: PostgresDatabase.timeout))
    return erased.first?.integer(0) ?? 0 > 0
  }
}
