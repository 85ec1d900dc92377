import CairnJournal
import CairnRuntime

/// The sessions of a database that only this node uses. A session in memory is the newest one.
struct OwnSessions: NodeSessions {
  let committed: CommittedSessions

  func newest(_ id: String) throws(JournalError) -> Session? {
    if let session = committed.cache.session(id) { return session }
    return try committed.read(id)
  }

  func newest(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> Session? {
    let mark = committed.cache.mark(id)
    var cached: Session?
    let record = try committed.journal.sessions.session(id) { hash in
      guard opens(hash), hash != nil else { return false }
      cached = committed.cache.session(id)
      return cached == nil
    }
    if let cached { return cached }
    return try committed.keep(record, readAt: mark)
  }

  func current(_ id: String) -> Session? { committed.cache.session(id) }

  func confirm(_ id: String, opens: (_ secretHash: [UInt8]) -> Bool, _ reply: @escaping Reply<Session?>) -> Bool { false }

  func read(_ ids: [String]) -> [String: Session] { [:] }

  let commitDecides = false

  func newestForEffects(_ id: String) throws(JournalError) -> Session? { try committed.toWrite(id) }

  func prepare(for jobs: [any Job]) {}

  func prepare(_ sessions: [String]) {}

  func refresh(_ sessions: [String]) {}

  func noteRead(_ staged: Staged, in batch: inout Batch) {}

  func write(_ batch: Batch, kept: Set<String>, at clock: any Clock) -> JournalBatch? {
    batch.isChanged ? batch.write(kept: kept, checkedAt: nil) : nil
  }

  func conflicts(in faults: [String: JournalError]) -> Set<String> { [] }

  func nextClaim(after now: Int, lease: Int) -> Int? { nil }

  func start() throws(ThreadError) {}

  func stop() {}

  func count() throws(JournalError) -> Int? { nil }

  var lookInterval: Duration? { nil }

  func samplingPause(_ setting: Int) -> Int { setting }
}
