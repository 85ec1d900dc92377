import CairnCore
import CairnRuntime
import CairnCrypto
import CairnJournal
import Foundation

/// The reason why a statement did not commit a batch.
private enum CommitFault: Error {
  case journal(JournalError)
  /// The values of one session caused the failure. `isTaken` is set if a value violates a unique key of a table.
  case values(isTaken: Bool)
}

/// The writer's part of a journal on PostgreSQL.
final class PostgresWriter: JournalWriter {
  let database: PostgresDatabase
  /// The connection whose transaction holds a session (`holding`). Used by the writer's thread only.
  let holder: PostgresConnection
  private let states: PostgresStates
  private let answers: PostgresAnswers
  private let cluster: PostgresCluster
  private let erasures: CommitErasures
  /// The time within which a commit whose connection was lost is looked up and repeated. After this time, the commit is reported as uncertain.
  private let commitTimeout: Duration
  /// The entries of sessions that do not exist yet, by their places, which are the numbers of the sessions.
  let staged = Lock<[Int: StagedSession]>([:])

  /// Maximum size of a page or snapshot in bytes. PostgreSQL accepts values up to a gigabyte.
  static let limit = 256 << 20
  /// Maximum number of attempts for a statement that fails with a temporary error, such as a deadlock.
  private static let attempts = 3

  init(_ cluster: PostgresCluster, _ erasures: CommitErasures, holder: PostgresConnection, commitTimeout: Duration) {
    database = cluster.database
    self.holder = holder
    states = PostgresStates(database: database, lane: .writer)
    answers = PostgresAnswers(database: database, lane: .writer)
    self.cluster = cluster
    self.erasures = erasures
    self.commitTimeout = commitTimeout
  }

  func session(_ id: String) throws(JournalError) -> SessionRecord? { try states.session(id) }

  func sessions(_ ids: [String]) throws(JournalError) -> [String: SessionRecord] { try states.sessions(ids) }

  func changed(since known: [SessionRecord]) throws(JournalError) -> [Int: SessionRecord?] { try states.changed(since: known) }

  func answer(_ key: AnswerKey, of session: String) throws(JournalError) -> KeptAnswer? { try answers.answer(key, of: session) }

  func keys(of session: String) throws(JournalError) -> [Fingerprint] { try answers.keys(of: session) }

  func forgetAnswers(expiredAt time: Int) throws(JournalError) -> Int? { try answers.forget(expiredAt: time) }

  func claimEffects(until time: Int) throws(JournalError) -> [DueSession] { try cluster.claimEffects(until: time) }

  func probe() throws(JournalError) {
    try database.write { (connection, deadline) throws(PostgresError) in
      var parameters = Parameters()
      let value = parameters.add(Array(UUID().uuidString.utf8))
      _ = try connection.run(
        "INSERT INTO @settings (name, value) VALUES ('probe', \(value)) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        parameters,
        until: deadline)
    }
  }

  @discardableResult package func commit(_ batch: JournalBatch) throws(JournalError) -> [String: JournalError] {
    try commit(batch, isListed: true)
  }

  /// Commits erasures that are already on the list of erasures. Returns the errors of the failed sessions, by session id.
  func commitUnlisted(_ batch: JournalBatch) throws(JournalError) -> [String: JournalError] { try commit(batch, isListed: false) }

  private func commit(_ batch: JournalBatch, isListed: Bool) throws(JournalError) -> [String: JournalError] {
    try database.writing.withLock { writing throws(JournalError) in
      guard !writing.isClosed else { throw .closed }
      // A repeated erasure does not concern the session that the writer holds.
      let isHolding = writing.isHolding
      if !isListed { writing.isHolding = false }
      defer { if !isListed { writing.isHolding = isHolding } }
      do throws(CommitFault) {
        return try attempt(batch, isListed: isListed, &writing)
      } catch {
        switch error {
        case .journal(let error): throw error
        case .values: return try commitOneByOne(batch, isListed: isListed, &writing)
        }
      }
    }
  }

  /// Commits the sessions of a batch one by one, so that only the sessions that cause an error fail. Returns the errors by session id.
  private func commitOneByOne(_ batch: JournalBatch, isListed: Bool, _ writing: inout PostgresDatabase.Writing) throws(JournalError)
    -> [String:
    JournalError]
  {
    var faults: [String: JournalError] = [:]
    var parts = batch.sessions.map { JournalBatch(definitions: batch.definitions, sessions: [$0], checks: batch.checks) }
    parts += batch.deletions.map { JournalBatch(deletions: [$0], checks: batch.checks) }
    if batch.checks?.versions.isEmpty == false { parts.append(JournalBatch(checks: batch.checks)) }
    let own = Set(batch.sessions.map(\.record.id)).union(batch.deletions)
    /// Whether an earlier part with changes has been committed.
    var isBegun = false
    for part in parts {
      let id = part.sessions.first?.record.id ?? part.deletions.first
      var part = part
      // Keeps only the versions of this part's session, because an earlier part may have changed the versions of other sessions.
      part.checks?.versions = batch.checks?.versions.filter { id == nil ? !own.contains($0.key) : $0.key == id } ?? [:]
      do throws(CommitFault) {
        faults.merge(try attempt(part, isListed: isListed, &writing)) { $1 }
        isBegun = isBegun || part.isChange
      } catch {
        switch error {
        case .journal(let error):
          guard isBegun else { throw error }
          // Earlier parts are committed, so only this part has failed.
          if let id { faults[id] = error } else { for id in part.checks?.versions.keys ?? [:].keys { faults[id] = error } }
        case .values(let isTaken):
          if let id { faults[id] = isTaken ? .conflict(session: id) : .io("the database rejects the values of session \(id)") }
        }
      }
    }
    return faults
  }

  /// Commits a batch with one statement. Returns the sessions that were not written, with the reasons.
  private func attempt(_ batch: JournalBatch, isListed: Bool, _ writing: inout PostgresDatabase.Writing) throws(CommitFault) -> [String:
    JournalError]
  {
    var faults: [String: JournalError] = [:]
    let old = batch.sessions.filter { $0.after > 0 }.map(\.record.id)
    let read = (batch.checks?.versions ?? [:]).filter { $0.value != .none }.map(\.key)
    let found = try lookUp(Set(old).union(batch.deletions).union(read), &writing)
    var writes: [CommitStatement.Write] = []
    for write in batch.sessions {
      let id = write.record.id
      guard write.after == 0 || found[id] != nil else {
        faults[id] = .conflict(session: id)
        continue
      }
      let beginning = try beginning(of: write, found[id], writing)
      do throws(JournalError) {
        writes.append(try prepared(write, found[id], before: batch.checks?.versions[id], beginning))
      } catch {
        faults[id] = error
      }
    }
    var deletions = batch.deletions.compactMap { id in
      found[id].map { CommitStatement.Deletion(id: id, number: $0.number, version: batch.checks?.versions[id]) }
    }
    // Sessions that the statement writes or deletes need no separate check, because the statement compares their versions anyway.
    let own = Set(batch.sessions.map(\.record.id)).union(batch.deletions)
    var checks: [CommitStatement.Check] = []
    for (id, version) in batch.checks?.versions ?? [:] {
      if version != .none, found[id] == nil {
        faults[id] = .conflict(session: id)
      } else if !own.contains(id) {
        checks.append(CommitStatement.Check(id: id, number: version == .none ? nil : found[id]?.number, version: version))
      }
    }
    checks.sort { $0.id < $1.id }
    var listed = CommitErasures.Listed()
    do throws(JournalError) {
      if isListed { listed = try erasures.list(writes, deletions) }
    } catch {
      // The list of erasures cannot be written, so this batch erases nothing: after a restore of a backup, the data could not be erased
      // again. The rest of the batch does not depend on the list.
      for write in writes where write.beginning != nil && write.number != nil { faults[write.write.record.id] = error }
      for deletion in deletions { faults[deletion.id] = error }
      writes.removeAll { $0.beginning != nil && $0.number != nil }
      deletions = []
    }
    let statement = CommitStatement(
      definitions: batch.definitions, writes: writes, deletions: deletions, checks: checks, time: batch.checks?.time,
      name: CommitStatement.Name(run: writing.run, number: writing.number, node: database.node))
    let outcome: Outcome
    do throws(CommitFault) {
      outcome = try run(statement, isNamed: !(writes.isEmpty && deletions.isEmpty), writes, deletions, checks, &writing)
    } catch {
      if case .journal(.uncertain) = error { erasures.settle(listed, committed: nil) } else { erasures.settle(listed, committed: []) }
      throw error
    }
    erasures.settle(listed, committed: outcome.deleted.union(outcome.written.compactMap { writes[$0].number }))
    learn(outcome, writes, deletions)
    if !outcome.written.isEmpty || !outcome.deleted.isEmpty { cluster.signals?.send() }
    for (index, write) in writes.enumerated() where !outcome.written.contains(index) {
      faults[write.write.record.id] = .conflict(session: write.write.record.id)
    }
    for deletion in deletions where !outcome.deleted.contains(deletion.number) { faults[deletion.id] = .conflict(session: deletion.id) }
    for index in outcome.moved { faults[checks[index].id] = .conflict(session: checks[index].id) }
    return faults
  }

  /// The result of a committed statement.
  private struct Outcome {
    /// The indexes of the committed writes.
    var written: Set<Int> = []
    /// The numbers of the sessions by the indexes of the writes.
    var numbers: [Int: Int] = [:]
    /// The numbers of the deleted sessions.
    var deleted: Set<Int> = []
    /// The indexes of the checks that failed.
    var moved: [Int] = []

    init(written: Set<Int> = [], deleted: Set<Int> = [], moved: [Int] = []) {
      self.written = written
      self.deleted = deleted
      self.moved = moved
    }

    init(_ row: PostgresResult.Row?) {
      guard let row else { return }
      let indexes = row.integers(CommitStatement.Column.written)
      written = Set(indexes)
      numbers = Dictionary(zip(indexes, row.integers(CommitStatement.Column.numbers))) { $1 }
      deleted = Set(row.integers(CommitStatement.Column.deleted))
      moved = row.integers(CommitStatement.Column.moved)
    }
  }

  /// Encrypts the secrets of a write and encodes its entries, with a snapshot if one is due.
  private func prepared(
    _ write: SessionWrite, _ known: KnownSession?, before: SessionVersion?, _ beginning: CommitStatement.Beginning?
  ) throws(JournalError) -> CommitStatement.Write {
    let id = write.record.id
    var new = CommitStatement.Write(
      write: write, number: write.after == 0 ? nil : known?.number, before: before, secrets: [],
      page: [], snapshot: nil, beginning: beginning)
    if let place = write.staged {
      guard let found = staged.withLock({ $0[place] }) else { throw .io("entries of session \(id) are no longer staged") }
      new.staged = found
    }
    var rest = new.entries
    for stage in write.stages {
      let entries = rest.prefix { $0.entry.revision <= stage.state.revision }
      rest = rest.dropFirst(entries.count)
      new.stages.append(
        CommitStatement.Stage(
          revision: stage.state.revision, definition: stage.definition, page: PageFormat.bytes(Array(entries)),
          snapshot: StateFormat.snapshot(stage.state)))
    }
    if !rest.isEmpty { new.page = PageFormat.bytes(Array(rest)) }
    new.secrets = write.secrets.sorted { $0.key.number < $1.key.number }.map { slot, change in
      guard case .keep(let text) = change else { return (slot.number, nil) }
      return (slot.number, Array(database.secrets.seal(text, for: slot.purpose(of: id))))
    }
    // A write with a new beginning needs no other snapshot, because the state of the beginning serves as one.
    if var known, !write.entries.isEmpty, beginning == nil {
      known.entries += write.entries.count
      known.bytes += new.size
      if known.needsSnapshot { new.snapshot = StateFormat.snapshot(write.record.state) }
    }
    guard max(new.page.count, new.snapshot?.count ?? 0, beginning?.state.count ?? 0) < Self.limit else { throw .tooLarge(session: id) }
    return new
  }

  /// The numbers and counts of sessions, from the cache or, for sessions that are not cached, from the database.
  private func lookUp(_ ids: Set<String>, _ writing: inout PostgresDatabase.Writing) throws(CommitFault) -> [String: KnownSession] {
    var found: [String: KnownSession] = [:]
    var missing: [String] = []
    database.known.withLock { known in
      for id in ids { if let session = known[id] { found[id] = session } else { missing.append(id) } }
    }
    guard !missing.isEmpty else { return found }
    var parameters = Parameters()
    let list = parameters.add(missing.sorted().map { Optional($0) })
    let result = try repeated(writing) { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT s.id, s.number, h.entries, h.bytes, h.snapshot, h.total FROM @sessions s JOIN @heads h ON h.session = s.number
        WHERE s.id = ANY(\(list)::text[])
        """, parameters, until: deadline)
    }
    for row in result.rows {
      let counts = KnownSession(
        number: row.integer(1), entries: row.integer(2), bytes: row.integer(3), snapshot: row.integer(4), total: row.integer(5))
      // A session with damaged counts is omitted here. Reading it reports the damage.
      guard let session = try? counts.checked(row.text(0)) else { continue }
      found[row.text(0)] = session
      database.known.withLock { $0.keep(session, for: row.text(0), weight: 1) }
    }
    return found
  }

  /// The new beginning of a write; `nil` if the write does not change the beginning. Reads the page that contains the beginning, so that
  /// the page can be cut. The page can be read before the commit, because only a new beginning changes a page.
  private func beginning(
    of write: SessionWrite, _ known: KnownSession?, _ writing: PostgresDatabase.Writing
  ) throws(CommitFault) -> CommitStatement.Beginning? {
    guard let past = write.beginning else { return nil }
    var new = CommitStatement.Beginning(
      past: past, identity: write.record.identity.hash(database.hashKey), state: StateFormat.snapshot(past.state))
    guard past.revision < write.after, let known else { return new }
    var parameters = Parameters()
    let (session, first) = (parameters.add(known.number), parameters.add(past.revision))
    let row = try repeated(writing) { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT coalesce((SELECT sum(length(p.body)) FROM @pages p WHERE p.session = \(session)::bigint AND p.revision <= \(first)::bigint), 0)::bigint
          + coalesce((SELECT sum(length(x.state)) FROM @snapshots x WHERE x.session = \(session)::bigint AND x.revision <= \(first)::bigint), 0)::bigint,
          n.revision, n.body
        FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT p.revision, p.body FROM @pages p WHERE p.session = \(session)::bigint
          AND p.revision > \(first)::bigint ORDER BY p.revision LIMIT 1) n ON true
        """, parameters, until: deadline)
    }.first
    guard let row else { return new }
    new.forgotten = row.integer(0)
    guard !row.isNull(1) else { return new }
    do {
      let entries = try PageFormat.entries(row.bytes(2))
      let rest = entries.filter { $0.entry.revision > past.revision }
      if rest.count < entries.count { new.tail = (row.integer(1), PageFormat.bytes(rest)) }
    } catch {
      throw .journal(.unreadable("session \(write.record.id): \(error.reason)"))
    }
    return new
  }

  /// Updates the cached numbers and counts of the written sessions. Removes deleted sessions, and those whose write failed, because their
  /// cached data may be wrong.
  private func learn(_ outcome: Outcome, _ writes: [CommitStatement.Write], _ deletions: [CommitStatement.Deletion]) {
    database.known.withLock { known in
      for (index, write) in writes.enumerated() {
        let id = write.write.record.id
        guard let number = outcome.numbers[index] else {
          known.forget(id)
          continue
        }
        var session = known[id] ?? KnownSession(number: number, entries: 0, bytes: 0, snapshot: write.size, total: 0)
        session.entries += write.recent.count
        session.bytes += write.recent.size
        session.total += write.total
        if let beginning = write.beginning {
          if let forgotten = beginning.forgotten {
            session.total = max(0, session.total - forgotten)
          } else {
            (session.entries, session.bytes, session.snapshot) = (write.recent.count, write.recent.size, beginning.state.count)
            session.total = write.total
          }
        }
        if let size = write.stages.last?.snapshot.count ?? write.staged?.snapshot { session.snapshot = size }
        if let place = write.write.staged { staged.withLock { $0[place] = nil } }
        if let snapshot = write.snapshot { (session.entries, session.bytes, session.snapshot) = (0, 0, snapshot.count) }
        known.keep(session, for: id, weight: 1)
      }
      for deletion in deletions { known.forget(deletion.id) }
    }
  }

  // MARK: the statement and its result

  /// Runs the statement of a commit. If the connection is lost during the statement, the database is queried for the commit; if the commit
  /// did not happen, the statement is sent again. `isNamed` is whether the statement writes a row of `changes`, which prevents a second
  /// execution.
  private func run(
    _ statement: CommitStatement, isNamed: Bool, _ writes: [CommitStatement.Write], _ deletions: [CommitStatement.Deletion],
    _ checks: [CommitStatement.Check], _ writing: inout PostgresDatabase.Writing
  ) throws(CommitFault) -> Outcome {
    let text = statement.text
    let deadline = Monotonic.deadline(after: commitTimeout)
    var failures = 0
    /// Whether the statement was sent over a connection that was lost. The server may still execute it, even if it is sent again.
    var isOpen = false
    while true {
      do throws(PostgresError) {
        if !isOpen { try database.lockWaits.check() }
        try cluster.registerRun(&writing, until: deadline)
        let connection = writing.isHolding ? holder : writing.connection
        // If the connection does not respond, half of the time is left for a new connection.
        let answerDeadline = min(deadline, Monotonic.deadline(after: commitTimeout / 2))
        let row = try connection.run(text, statement.parameters, until: answerDeadline).first
        if writing.isHolding { _ = try connection.run("COMMIT", until: answerDeadline) }
        writing.isHolding = false
        if isNamed { writing.number += 1 }
        return Outcome(row)
      } catch {
        writing.isHolding = false
        if error.local == .unconfirmed, isNamed { throw writing.abandon() }
        guard isNamed, isOpen || error.isOfConnection else {
          if error.isOfConnection {
            try wait(until: deadline, &writing, isUncertain: false)
            continue
          }
          if error.isOfValues { throw .values(isTaken: error.isConstraint) }
          failures += 1
          guard error.isTemporary, !error.isOfLock, failures < Self.attempts else {
            throw .journal(JournalError(database.lockWaits.ended(error)))
          }
          continue
        }
        isOpen = true
        // The second statement waits for the locks of the first one, and fails with 23505 if the first one is committed.
        if error.isOfConnection || error.isConstraint {
          if let outcome = try resolve(writes, deletions, checks, &writing, until: deadline) { return outcome }
          if error.isOfConnection { continue }
        } else if !error.isTemporary {
          throw writing.abandon()
        }
        try wait(until: deadline, &writing, isUncertain: true)
      }
    }
  }

  /// Returns the outcome of a commit whose response was lost; `nil` if the commit has not happened yet. Throws `.uncertain` if the database cannot be queried
  /// in time.
  private func resolve(
    _ writes: [CommitStatement.Write], _ deletions: [CommitStatement.Deletion], _ checks: [CommitStatement.Check],
    _ writing: inout PostgresDatabase.Writing, until deadline: UInt64
  ) throws(CommitFault) -> Outcome? {
    var parameters = Parameters()
    let (run, number) = (parameters.add(writing.run), parameters.add(writing.number))
    while true {
      do throws(PostgresError) {
        let found = try writing.connection.run(
          "SELECT sessions FROM @changes WHERE run = \(run)::bigint AND number = \(number)::bigint", parameters, until: deadline)
        guard let row = found.first else { return nil }
        // A visible commit may not have reached the standby. If a later commit is confirmed, the standby has this one too.
        try PostgresCluster.register(database.node, database.version, writing.connection, until: deadline)
        writing.number += 1
        let ids = Set(row.texts(0))
        // All checks count as failed, because the sessions that were only read may have changed since. As a result, their requests run
        // again.
        return Outcome(
          written: Set(writes.indices.filter { ids.contains(writes[$0].write.record.id) }),
          deleted: Set(deletions.filter { ids.contains($0.id) }.map(\.number)), moved: Array(checks.indices))
      } catch {
        guard error.isOfConnection || error.isTemporary else { throw writing.abandon() }
        try wait(until: deadline, &writing, isUncertain: true)
      }
    }
  }

  /// Waits for `pause` before the next attempt to reach the database. If the deadline would pass during the pause, throws `.uncertain` or,
  /// without `isUncertain`, `.io`.
  private func wait(until deadline: UInt64, _ writing: inout PostgresDatabase.Writing, isUncertain: Bool) throws(CommitFault) {
    guard Monotonic.now() + Self.pause < deadline else {
      throw isUncertain ? writing.abandon() : .journal(.io("the database cannot be reached"))
    }
    Monitor(()).wait(until: Monotonic.now() + Self.pause) { _ in nil as Void? }
  }

  /// The pause between two attempts, in nanoseconds.
  private static let pause: UInt64 = 50_000_000

  /// Runs a read-only statement on the writer's connection. After a lost connection or a temporary error other than a wait for a lock, runs it once more.
  private func repeated(
    _ writing: PostgresDatabase.Writing, _ work: (PostgresConnection, _ deadline: UInt64) throws(PostgresError) -> PostgresResult
  ) throws(CommitFault) -> PostgresResult {
    let deadline = Monotonic.deadline(after: PostgresDatabase.timeout)
    do throws(PostgresError) {
      try database.lockWaits.check()
      do throws(PostgresError) {
        return try work(writing.connection, deadline)
      } catch {
        guard error.isOfConnection || error.isTemporary && !error.isOfLock else { throw error }
        return try work(writing.connection, deadline)
      }
    } catch {
      throw .journal(JournalError(database.lockWaits.ended(error)))
    }
  }
}

extension PostgresDatabase.Writing {
  /// Begins a new run, and returns the fault of a commit whose result is unknown. The name of this commit must not be used again.
  fileprivate mutating func abandon() -> CommitFault {
    abandonRun()
    return .journal(.uncertain)
  }
}
