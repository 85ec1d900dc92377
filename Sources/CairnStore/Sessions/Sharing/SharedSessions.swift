import CairnJournal
import CairnRuntime

/// The sessions of a database that several nodes share. A session in memory may be outdated. Readers compare it with the journal, and the commit checks whether
/// a request was run on the newest state.
final class SharedSessions: NodeSessions {
  private let committed: CommittedSessions
  private let checks: VersionChecks
  private let losses: KnownLosses
  /// Used by the writer's thread.
  private let contended = Lock(ContendedSessions())

  /// Maximum time between two claims, in milliseconds. It bounds two delays: until this node takes over the effects of a stopped node, and
  /// until it cancels calls whose effects another node has ended.
  private static let takeover = 2_000
  /// The minimum pause between the checks of two sessions for damage, in milliseconds. Each check takes several queries, and other nodes
  /// use the database too.
  private static let samplingPause = 10_000

  init(_ committed: CommittedSessions, _ losses: KnownLosses) {
    self.committed = committed
    self.losses = losses
    checks = VersionChecks(committed, losses)
  }

  func newest(_ id: String) throws(JournalError) -> Session? {
    if let session = committed.cache.session(id) {
      let version = try committed.journal.sessions.version(of: id)
      if version == session.version { return session }
      losses.note(session, at: version, in: committed.journal.sessions)
    }
    return try committed.read(id)
  }

  func newest(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> Session? {
    let mark = committed.cache.mark(id)
    let record = try committed.journal.sessions.session(id) { hash in opens(hash) && hash != nil }
    return try committed.keep(record, readAt: mark)
  }

  func current(_ id: String) -> Session? { nil }

  func confirm(_ id: String, opens: (_ secretHash: [UInt8]) -> Bool, _ reply: @escaping Reply<Session?>) -> Bool {
    guard let known = committed.cache.session(id), opens(known.secretHash) else { return false }
    checks.ask(known, reply)
    return true
  }

  func read(_ ids: [String]) -> [String: Session] {
    // Unreported: the error is ignored here. The caller reads the missing sessions one by one, and reports their errors.
    guard let records = try? committed.journal.sessions.sessions(ids) else { return [:] }
    // Unreported: the error is ignored here. The caller reads the missing sessions one by one, and reports their errors.
    return records.compactMapValues { try? committed.library.session($0, in: committed.journal.documents) }
  }

  let commitDecides = true

  func newestForEffects(_ id: String) throws(JournalError) -> Session? { try newest(id) }

  func prepare(for jobs: [any Job]) { prepare(jobs.compactMap(\.changedSession)) }

  func prepare(_ sessions: [String]) {
    var (known, missing): ([Session], [String]) = ([], [])
    var seen: Set<String> = []
    contended.withLock { contended in
      for id in sessions where seen.insert(id).inserted {
        if let session = committed.cache.session(id) {
          if contended.contains(id) { known.append(session) }
        } else {
          missing.append(id)
        }
      }
    }
    let changed = bringUpToDate(known, missing: missing)
    contended.withLock { contended in
      for session in known { if changed.contains(session.id) { contended.add(session.id) } else { contended.noteUnchanged(session.id) } }
    }
  }

  func refresh(_ sessions: [String]) {
    _ = bringUpToDate(
      sessions.compactMap { committed.cache.session($0) }, missing: sessions.filter { committed.cache.session($0) == nil })
  }

  /// Compares sessions in memory with the journal in one step, and updates those that another node has changed. In a second step, reads sessions that are not
  /// in memory, if there are several, so that the following requests need no reads. Returns the ids of the changed sessions. Ignores failures, because they
  /// recur when a request reads its session. Called on the writer's thread.
  private func bringUpToDate(_ known: [Session], missing: [String]) -> Set<String> {
    var missing = missing
    var changed: [Int: SessionRecord?] = [:]
    if !known.isEmpty {
      let marks = known.map { committed.cache.mark($0.id) }
      // Unreported: the error is ignored here. The request that needs the session reads it again, and fails.
      changed = (try? committed.journal.writer.changed(since: known.map(\.record))) ?? [:]
      for (index, record) in changed {
        losses.note(known[index], at: record.map(\.version), in: committed.journal.sessions)
        // Unreported: the error is ignored here. The request that needs the session reads it again, and reports the error.
        if let record, let session = try? committed.library.session(record, in: committed.journal.documents) {
          committed.cache.keep(session, readAt: marks[index])
        } else {
          committed.cache.forget([known[index].id])
          missing.append(known[index].id)
        }
      }
    }
    if missing.count > 1 {
      let marks = missing.map { committed.cache.mark($0) }
      // Unreported: the error is ignored here. The request that needs a session reads it again, and reports the error.
      let records = (try? committed.journal.writer.sessions(missing)) ?? [:]
      for (id, mark) in zip(missing, marks) {
        // Unreported: the error is ignored here. The request that needs the session reads it again, and reports the error.
        if let record = records[id], let session = try? committed.library.session(record, in: committed.journal.documents) {
          committed.cache.keep(session, readAt: mark)
        }
      }
    }
    return Set(changed.keys.map { known[$0].id })
  }

  // The commit checks the version of every session that was read, because another node may have changed it.
  func noteRead(_ staged: Staged, in batch: inout Batch) { batch.keep(staged) }

  func write(_ batch: Batch, kept: Set<String>, at clock: any Clock) -> JournalBatch? {
    batch.write(kept: kept, checkedAt: clock.now())
  }

  func conflicts(in faults: [String: JournalError]) -> Set<String> {
    let conflicts = Set(faults.keys.filter { faults[$0]?.isConflict == true })
    contended.withLock { contended in for session in conflicts { contended.add(session) } }
    return conflicts
  }

  func nextClaim(after now: Int, lease: Int) -> Int? { now + min(lease / 2, Self.takeover) }

  func start() throws(ThreadError) { try checks.start() }

  func stop() { checks.stop() }

  func count() throws(JournalError) -> Int? { try committed.journal.sessions.count() }

  var lookInterval: Duration? { .seconds(1) }

  func samplingPause(_ setting: Int) -> Int { max(setting, Self.samplingPause) }
}
