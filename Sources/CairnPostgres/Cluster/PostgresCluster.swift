import CairnCore
import CairnRuntime
import CairnJournal
import Foundation
import Glibc

/// The data that the nodes of a database share: the changes of sessions, the runs that perform effects, the claims of tasks, and the tickets.
struct PostgresCluster: ClusterJournal {
  let isShared = true
  let database: PostgresDatabase
  /// The signals between nodes; `nil` if this process sends and receives no signals.
  let signals: CommitSignals?
  /// The durations from other nodes' commits until this node read them. Only measured while this node has subscribers.
  let changeDelays: Lock<Durations>

  /// The maximum number of effects that one call takes over from nodes that have ended.
  private static let takeover = 1_000
  /// The start time of the server's process in microseconds, in SQL. It distinguishes a server from another server that has taken over.
  private static let server = "(extract(epoch FROM pg_postmaster_start_time()) * 1e6)::bigint"
  /// The maximum number of commits of one run that a call returns.
  private static let page = 1_000
  /// Maximum time for which a task is claimed, in milliseconds. A claim that ends later is damaged, and does not count.
  private static let longestClaim = 600_000
  /// The time in seconds without a report after which a node counts as ended.
  private static let lease = 15
  /// A node takes over the effects of nodes that no longer report only after it has itself reported for this many seconds. So all nodes
  /// have time to report again after the database was unreachable.
  private static let grace = 10

  func changes(after cursor: ChangeCursor?) throws(JournalError) -> SessionChanges {
    guard let cursor else { return try newestPlace() }
    // Commits of an earlier run after its last certain commit do not count as own commits, because this node has not sent them to its feed.
    let (own, former) = database.writing.withLock { ($0.run, $0.former) }
    var parameters = Parameters()
    let runs = parameters.add(cursor.numbers.keys.map { Optional($0) })
    let numbers = parameters.add(cursor.numbers.values.map { Optional($0) })
    let values = parameters
    // A run without changes also gets a place in the cursor, so that its later changes are not missed. A page is a range of numbers, so its
    // cost does not depend on the number of later changes.
    //
    // A commit gets its time while it locks the rows of its sessions, so the times give the order of a session's changes. A damaged number
    // or time in a row must not make the statement fail for all rows. Because of the limit, the server reads the range of each run by the
    // index; without the limit, it would read the whole table for a join.
    let rows = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT n.run, b.number, c.number, c.sessions, c.revisions, c.before,
           CASE WHEN isfinite(c.at) THEN extract(epoch FROM (clock_timestamp() - c.at) * 1e6)::bigint ELSE 0 END,
           \(Self.server), v.number IS NULL OR v.number = 0 OR EXISTS (SELECT FROM @changes o WHERE o.run = n.run AND o.number = v.number)
        FROM @nodes n
        LEFT JOIN unnest(\(runs)::bigint[], \(numbers)::bigint[]) AS v (run, number) ON v.run = n.run
        CROSS JOIN LATERAL (SELECT greatest(v.number, (SELECT greatest(min(o.number), 1) - 1 FROM @changes o WHERE o.run = n.run), 0) AS number) b
        LEFT JOIN LATERAL (SELECT c.run, c.number, c.sessions, c.revisions, c.before, c.at FROM @changes c
          WHERE c.run = n.run AND c.number > b.number AND c.number <= b.number + least(\(Self.page), \(Int.max) - b.number) ORDER BY c.number LIMIT \(Self.page)) c ON true
        ORDER BY c.at, c.run, c.number
        """, values, until: deadline
      ).rows
    }
    var page = SessionChanges([], cursor: cursor)
    var delays: [UInt64] = []
    var counts: [Int: Int] = [:]
    for row in rows {
      let run = row.integer(0)
      page.cursor.server = row.integer(7)
      // The newest commits that this node has read may have been lost together with the previous server.
      if row.integer(7) != cursor.server {
        page.isOtherServer = true
        if !row.bool(8) { page.isLacking = true }
      }
      guard !row.isNull(2) else {
        page.cursor.numbers[run] = row.integer(1)
        continue
      }
      if let last = page.cursor.numbers[run], row.integer(2) - 1 > last { page.isLacking = true }
      let isOwn = run == own || row.integer(2) <= former[run] ?? 0
      if cursor.numbers[run] != nil, !isOwn { delays.append(UInt64(max(0, min(row.integer(6), 1 << 48))) * 1_000) }
      page.cursor.numbers[run] = row.integer(2)
      counts[run, default: 0] += 1
      for (session, (revision, before)) in zip(row.texts(3), zip(row.integers(4), row.integers(5))) {
        page.changes.append(
          SessionChange(session, revision: revision == 0 ? nil : revision, before: before, isOwn: isOwn))
      }
    }
    page.hasMore = counts.values.contains { $0 >= Self.page }
    if !delays.isEmpty { changeDelays.withLock { for delay in delays { $0.add(delay) } } }
    return page
  }

  func onChange(_ wake: @escaping @Sendable () -> Void) throws(ThreadError) { try signals?.start(wake) }

  /// The place after all changes that are currently visible. Each run numbers its commits without gaps and commits them one after the other, so no change that
  /// becomes visible later has a lower number.
  private func newestPlace() throws(JournalError) -> SessionChanges {
    let rows = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT n.run, coalesce((SELECT max(c.number) FROM @changes c WHERE c.run = n.run), 0), \(Self.server) FROM @nodes n
        """, until: deadline
      ).rows
    }
    let numbers = Dictionary(rows.map { ($0.integer(0), $0.integer(1)) }) { $1 }
    return SessionChanges([], cursor: ChangeCursor(numbers: numbers, server: rows.first?.integer(2) ?? 0), isLacking: true)
  }

  func claimEffects(until time: Int) throws(JournalError) -> [DueSession] {
    var parameters = Parameters()
    let (run, last) = (parameters.add(database.node), parameters.add(time))
    let values = parameters
    // Rows that another node's statement has locked are skipped, so no effect is taken over twice.
    let rows = try database.write { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        WITH free AS MATERIALIZED (SELECT e.session, e.effect, h.due FROM @nodes n JOIN @effects e ON e.run = n.run
            JOIN @heads h ON h.session = e.session
          WHERE n.run <> \(run)::bigint AND h.due <= \(last)::bigint
            AND (n.has_ended OR n.seen_at < clock_timestamp() - interval '\(Self.lease) s' AND EXISTS (SELECT FROM @nodes m
              WHERE m.run = \(run)::bigint AND m.alive_since < clock_timestamp() - interval '\(Self.grace) s'))
          ORDER BY h.due LIMIT \(Self.takeover) FOR UPDATE OF e SKIP LOCKED),
          mine AS (UPDATE @effects e SET run = \(run)::bigint FROM free f WHERE (e.session, e.effect) = (f.session, f.effect)
            RETURNING e.session, e.effect, f.due)
        SELECT s.id, m.due, m.effect FROM mine m JOIN @sessions s ON s.number = m.session
        """, values, until: deadline
      ).rows
    }
    var due: [String: DueSession] = [:]
    for row in rows {
      due[row.text(0), default: DueSession(id: row.text(0), due: row.integer(1), effects: [])].effects?.insert(row.integer(2))
    }
    return due.values.sorted { ($0.due, $0.id) < ($1.due, $1.id) }
  }

  func claim(_ task: BackgroundTask, for time: Int, takingOver: Bool) throws(JournalError) -> Bool {
    do throws(PostgresError) {
      return try database.pool.read { (connection, deadline) throws(PostgresError) in
        try Self.claim(task, for: time, takingOver: takingOver, database.node, connection, until: deadline)
      }
    } catch {
      throw JournalError(error)
    }
  }

  static func claim(
    _ task: BackgroundTask, for time: Int, takingOver: Bool = false, _ run: Int, _ connection: PostgresConnection, until deadline: UInt64
  ) throws(PostgresError) -> Bool {
    var parameters = Parameters()
    let (name, number, span) = (parameters.add(task.rawValue), parameters.add(run), parameters.add(time))
    return try !connection.run(
      """
      INSERT INTO @tasks AS t (name, run, until) VALUES (\(name)::text, \(number)::bigint, \(CommitStatement.now) + \(span)::bigint)
      ON CONFLICT (name) DO UPDATE SET run = excluded.run, until = excluded.until
        \(takingOver
          ? "" : "WHERE t.run = excluded.run OR t.until < \(CommitStatement.now) OR t.until > \(CommitStatement.now) + \(longestClaim)")
        RETURNING 1
      """, parameters, until: deadline
    ).rows.isEmpty
  }

  /// Registers a run of this node, so that other nodes read its changes and know that it is running. Must precede the run's first commit.
  static func register(_ run: Int, _ version: String, _ connection: PostgresConnection, until deadline: UInt64) throws(PostgresError) {
    var parameters = Parameters()
    let (number, name, text) = (
      parameters.add(run), parameters.add(NodeName.current), parameters.add(version)
    )
    _ = try connection.run(
      """
      INSERT INTO @nodes AS n (run, name, version) VALUES (\(number)::bigint, \(name)::text, \(text)::text)
      ON CONFLICT (run) DO UPDATE SET seen_at = clock_timestamp(), has_ended = false,
        alive_since = CASE WHEN n.seen_at < clock_timestamp() - interval '\(lease) s' THEN clock_timestamp() ELSE n.alive_since END
      """, parameters, until: deadline)
  }

  /// Registers the writer's current run, unless it is registered already.
  func registerRun(_ writing: inout PostgresDatabase.Writing, until deadline: UInt64) throws(PostgresError) {
    guard !writing.isRegistered else { return }
    try Self.register(writing.run, database.version, writing.connection, until: deadline)
    writing.isRegistered = true
  }

  /// Marks the runs of this node as ended, and ends its claims, so that other nodes can take over immediately. `others` are the other runs of this process.
  static func release(_ run: Int, _ others: [Int], _ connection: PostgresConnection, until deadline: UInt64) throws(PostgresError) {
    var parameters = Parameters()
    let runs = parameters.add(([run] + others).map { Optional($0) })
    for text in ["UPDATE @nodes SET has_ended = true WHERE run = ANY", "UPDATE @tasks SET until = 0 WHERE run = ANY"] {
      _ = try connection.run("\(text)(\(runs)::bigint[])", parameters, until: deadline)
    }
  }
}
