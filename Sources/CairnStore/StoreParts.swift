import CairnCore
import CairnRuntime
import CairnCrypto
import CairnJournal

/// The objects that the writer and the readers share.
struct StoreParts: Sendable {
  let journal: any Journal
  /// The key for the hashes of entries, from the journal.
  let hashKey: SipHash.Key
  /// Derives the code verifiers of logins.
  let proofs: ProofKeys
  let outbound: any Outbound
  let clock: any Clock
  let limits: StoreLimits
  let library: DefinitionLibrary
  let migrations: MigrationLibrary
  /// The environment variables that a definition names, for sessions that move to it. Any thread.
  let environment: @Sendable (Definition) -> [String: String]
  let cache: SessionCache
  let mailbox: Mailbox
  let nonce: @Sendable () -> String
  let log: @Sendable (StoreEvent) -> Void
  let figures: Lock<StoreFigures>
  let damaged = DamagedSessions()
  /// The failures of the work in the background.
  let faults: BackgroundFaults
  let feed: Feed
  let fullJournals = FullJournals()
  let losses = KnownLosses()

  var sessions: any SessionJournal { journal.sessions }
  var history: any EntryJournal { journal.history }
  var answers: any AnswerJournal { journal.answers }
  var documents: any DocumentJournal { journal.documents }
  var cluster: any ClusterJournal { journal.cluster }

  /// The newest committed session; `nil` if it does not exist. `toWrite` is set on the writer's thread: the session may then be one that another node
  /// has changed since, which the commit finds out. Any thread.
  func committed(_ id: String, toWrite: Bool = false) throws(JournalError) -> Session? {
    if let session = cache.session(id) {
      if toWrite { return session }
      let version = try !cluster.isShared ? session.version : sessions.version(of: id)
      if version == session.version { return session }
      noteLoss(of: session, at: version)
    }
    let mark = cache.mark(id)
    guard let record = try toWrite ? journal.writer.session(id) : sessions.session(id) else { return nil }
    let session = try library.session(record, in: documents)
    cache.keep(session, readAt: mark)
    return session
  }

  /// The newest committed session if `opens` accepts the hash of its secret, otherwise `nil`. The hash is read from the journal even if the session
  /// is in memory. Any thread.
  func committed(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> Session? {
    let mark = cache.mark(id)
    var cached: Session?
    let record = try sessions.session(id) { hash in
      guard opens(hash), hash != nil else { return false }
      if !cluster.isShared { cached = cache.session(id) }
      return cached == nil
    }
    if let cached { return cached }
    guard let record else { return nil }
    let session = try library.session(record, in: documents)
    cache.keep(session, readAt: mark)
    return session
  }

  /// Compares sessions in memory with the journal in one step, and updates those that another node has changed. Reads sessions that are not
  /// in memory in a second step, for requests that follow. Returns the ids of the changed sessions. A failure shows when a request reads its session.
  /// Writer's thread.
  func bringUpToDate(_ known: [Session], missing: [String]) -> Set<String> {
    var missing = missing
    var changed: [Int: SessionRecord?] = [:]
    if !known.isEmpty {
      let marks = known.map { cache.mark($0.id) }
      // Unreported: the request that needs the session reads it again, and fails.
      changed = (try? journal.writer.changed(since: known.map(\.record))) ?? [:]
      for (index, record) in changed {
        noteLoss(of: known[index], at: record.map(\.version))
        // Unreported: see above.
        if let record, let session = try? library.session(record, in: documents) {
          cache.keep(session, readAt: marks[index])
        } else {
          cache.forget([known[index].id])
          missing.append(known[index].id)
        }
      }
    }
    if missing.count > 1 {
      let marks = missing.map { cache.mark($0) }
      // Unreported: see above.
      let records = (try? journal.writer.sessions(missing)) ?? [:]
      for (id, mark) in zip(missing, marks) {
        // Unreported: see above.
        if let record = records[id], let session = try? library.session(record, in: documents) { cache.keep(session, readAt: mark) }
      }
    }
    return Set(changed.keys.map { known[$0].id })
  }

  /// The response stored under a key of a session, unless it has expired. `toWrite` is set on the writer's thread. Any thread.
  func kept(_ key: AnswerKey, of session: String, toWrite: Bool) throws(StoreFault) -> KeptAnswer? {
    do {
      guard let kept = try toWrite ? journal.writer.answer(key, of: session) : answers.answer(key, of: session), kept.until > clock.now() else { return nil }
      return kept
    } catch {
      throw .storage("\(error)")
    }
  }

  /// The keys under which the journal stores responses of a session. Called on the writer's thread.
  func keys(of session: String) throws(StoreFault) -> [Fingerprint] {
    do {
      return try journal.writer.keys(of: session)
    } catch {
      throw .storage("\(error)")
    }
  }
}
