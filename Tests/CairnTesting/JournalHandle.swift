import CairnCore
package import CairnJournal
import CairnRuntime

/// The handle of one of several nodes on a shared journal. A test can run code between the read and the commit of a batch.
package final class JournalHandle: Journal {
  /// The state that all handles of a journal share: the journal, and the handle that holds a session.
  package final class Shared: Sendable {
    fileprivate let journal: any Journal
    fileprivate let holder = Monitor<ObjectIdentifier?>(nil)

    package init(_ journal: any Journal) { self.journal = journal }
  }

  private let shared: Shared
  private var inner: any Journal { shared.journal }
  private let beforeCommit = Lock<(@Sendable (JournalBatch) -> Void)?>(nil)
  private let faults = Lock<[JournalError]>([])
  private let isClosed = Lock(false)

  /// Whether no other handle uses the handle's journal. The database may contain further journals.
  private let isOnlyHandle: Bool

  package init(_ shared: Shared) {
    self.shared = shared
    isOnlyHandle = false
  }

  /// The only handle of a journal that shares its database with others.
  package init(only journal: any Journal) {
    shared = Shared(journal)
    isOnlyHandle = true
  }

  package let isShared = true

  /// Calls `body` before each commit, on the writer's thread, until it is replaced; `nil` for none.
  package func onCommit(_ body: (@Sendable (JournalBatch) -> Void)?) { beforeCommit.withLock { $0 = body } }

  /// Makes the next commits succeed but throw an error, one per element, as if their responses were lost.
  package func loseAnswers(_ errors: [JournalError]) { faults.withLock { $0 = errors } }

  @discardableResult package func commit(_ batch: JournalBatch) throws(JournalError) -> [String: JournalError] {
    beforeCommit.withLock { $0 }?(batch)
    let me = ObjectIdentifier(self)
    let result: Result<[String: JournalError], JournalError>? = shared.holder.wait { holder in
      guard holder == nil || holder == me else { return nil }
      return Result { () throws(JournalError) in try self.inner.writer.commit(batch) }
    }
    let faults = try result?.get() ?? [:]
    if let fault = self.faults.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw fault }
    return faults
  }

  package func stage(_ entries: StagedEntries, at place: Int?) throws(JournalError) -> Int { try inner.writer.stage(entries, at: place) }
  package func unstage(_ place: Int) throws(JournalError) { try inner.writer.unstage(place) }

  package func holding(_ session: String, _ body: () -> Void) throws(JournalError) {
    if isOnlyHandle { return try inner.writer.holding(session, body) }
    let me = ObjectIdentifier(self)
    shared.holder.wait { holder in
      guard holder == nil else { return nil as Void? }
      holder = me
      return ()
    }
    defer { shared.holder.change { $0 = nil } }
    body()
  }

  package var startFault: JournalError? { inner.startFault }
  package func session(_ id: String) throws(JournalError) -> SessionRecord? { try open().sessions.session(id) }
  package func version(of id: String) throws(JournalError) -> SessionVersion? { try open().sessions.version(of: id) }
  package func keepTicket(
    _ hash: [UInt8], _ content: [UInt8], for place: String, until: Int, now: Int, limit: Int
  ) throws(JournalError) -> Bool { try open().cluster.keepTicket(hash, content, for: place, until: until, now: now, limit: limit) }
  package func takeTicket(_ hash: [UInt8], for place: String, now: Int, isLook: Bool) throws(JournalError) -> [UInt8]? {
    try open().cluster.takeTicket(hash, for: place, now: now, isLook: isLook)
  }
  package func sessions(_ ids: [String]) throws(JournalError) -> [String: SessionRecord] {
    try open().sessions.sessions(ids)
  }
  package func claim(_ task: BackgroundTask, for time: Int, takingOver: Bool) throws(JournalError) -> Bool {
    try open().cluster.claim(task, for: time, takingOver: takingOver)
  }
  package func changed(since known: [SessionRecord]) throws(JournalError) -> [Int: SessionRecord?] {
    try open().sessions.changed(since: known)
  }
  package func beginning(of id: String) throws(JournalError) -> JournalBeginning? { try inner.history.beginning(of: id) }

  package func past(of id: String, at revision: Int) throws(JournalError) -> PastState? { try open().history.past(of: id, at: revision) }
  package func page(_ query: SessionQuery) throws(JournalError) -> SessionPage? { try open().sessions.page(query) }
  package func changes(after cursor: ChangeCursor?) throws(JournalError) -> SessionChanges {
    try open().cluster.changes(after: cursor)
  }
  package func definitions() throws(JournalError) -> [String] { try open().documents.definitions() }
  package func claimEffects(until time: Int) throws(JournalError) -> [DueSession] { try open().writer.claimEffects(until: time) }
  package func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [JournalEntry] {
    try open().history.entries(of: session, after: revision, limit: limit)
  }
  package func definition(_ hash: String) throws(JournalError) -> String? { try open().documents.definition(hash) }
  package func secret(_ slot: SecretSlot, of session: String) throws(JournalError) -> String? {
    try open().sessions.secret(slot, of: session)
  }
  package func answer(_ key: AnswerKey, of session: String) throws(JournalError) -> KeptAnswer? {
    try open().answers.answer(key, of: session)
  }
  package func keys(of session: String) throws(JournalError) -> [Fingerprint] { try open().answers.keys(of: session) }
  package func forgetAnswers(expiredAt time: Int) throws(JournalError) -> Int? { try open().writer.forgetAnswers(expiredAt: time) }
  package var derivationKey: [UInt8] { inner.derivationKey }
  package var hashKey: SipHash.Key { inner.hashKey }
  package func documents(_ query: DocumentQuery) throws(JournalError) -> [StoredDocument] { try open().documents.documents(query) }
  package func store(_ changes: [DocumentChange], texts: [String: String]) throws(JournalError) {
    try open().documents.store(changes, texts: texts)
  }
  package func uses(of app: String) throws(JournalError) -> [DefinitionUse] { try open().sessions.uses(of: app) }
  package func count() throws(JournalError) -> Int { try open().sessions.count() }
  package func probe() throws(JournalError) { try open().writer.probe() }
  package func close() { isClosed.withLock { $0 = true } }

  package func roster(after place: Int, limit: Int) throws(JournalError) -> [(place: Int, id: String)] {
    try open().sessions.roster(after: place, limit: limit)
  }

  private func open() throws(JournalError) -> any Journal {
    if isClosed.withLock({ $0 }) { throw .closed }
    return inner
  }
}

// The handle itself is each part of the journal.
extension JournalHandle: JournalWriter, SessionJournal, EntryJournal, DocumentJournal, ClusterJournal {
  package var writer: any JournalWriter { self }
  package var sessions: any SessionJournal { self }
  package var history: any EntryJournal { self }
  package var answers: any AnswerJournal { self }
  package var documents: any DocumentJournal { self }
  package var cluster: any ClusterJournal { self }
}
