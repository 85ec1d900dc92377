package import CairnCore
package import CairnRuntime

/// The durable storage of sessions. Other modules do not depend on the backend. Only the writer commits. The reading functions are called
/// concurrently by the writer's and the readers' threads.
package protocol Journal: EntryStaging {
  /// Whether no other node writes to the database while it is open, so that states in memory are current.
  var isExclusive: Bool { get }
  /// The reason why writes fail until `probe` succeeds; `nil` if they do not fail. Reads work in any case.
  var startFault: JournalError? { get }
  /// Writes a batch, and returns when it is on disk. The result contains the sessions whose part could not be written or whose check failed, with the
  /// reasons; nothing of these parts is stored. If an error is thrown, nothing of the batch is stored.
  @discardableResult func commit(_ batch: JournalBatch) throws(JournalError) -> [String: JournalError]
  /// The newest committed state of a session; `nil` if the session does not exist. `toWrite` is set on the writer's thread.
  func session(_ id: String, toWrite: Bool) throws(JournalError) -> SessionRecord?
  /// The newest committed states of those sessions that exist, by id. `toWrite` is set on the writer's thread.
  func sessions(_ ids: [String], toWrite: Bool) throws(JournalError) -> [String: SessionRecord]
  /// The newest committed state of a session if `opens` accepts the hash of its secret, otherwise `nil`. `opens` is called with `nil` if the session
  /// does not exist. As far as the backend can ensure it, the lookup takes the same time for unknown and known sessions.
  func session(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> SessionRecord?
  /// Calls `body` while no other node can commit changes of the session. Throws `.busy` without calling `body` if other nodes hold the session for
  /// too long. Called on the writer's thread; `body` may commit.
  func holding(_ session: String, _ body: () -> Void) throws(JournalError)
  /// The version of the newest committed state; `nil` if the session does not exist. Cheaper than reading the state.
  func version(of id: String) throws(JournalError) -> SessionVersion?
  /// The sessions that have another version now, by their indexes, with their newest states; `nil` for a session that must be read completely, or does
  /// not exist. All are asked at once, and only what is new is read. `toWrite` is set on the writer's thread.
  func changed(since known: [Session], toWrite: Bool) throws(JournalError) -> [Int: SessionRecord?]
  /// The beginning of a session's journal; `nil` if nothing of it was forgotten, or if the session does not exist.
  func beginning(of id: String) throws(JournalError) -> JournalBeginning?
  /// A session at an earlier revision; `nil` if the session does not exist. Throws `.forgotten` for one before the beginning. The number of reads is bounded and does not depend on the length of the session.
  func past(of id: String, at revision: Int) throws(JournalError) -> PastState?
  /// The ids of sessions in the order of their creation; `nil` if the session that `after` names does not exist. The number of reads is bounded,
  /// whatever the number of sessions.
  func sessions(_ query: SessionQuery) throws(JournalError) -> SessionPage?
  /// The hashes of the stored definitions.
  func definitions() throws(JournalError) -> [String]
  /// Takes over the effects that are due up to a time, in milliseconds since 1970, and that no running node has. Returns their due times and reads no
  /// state. A node has the effects that its commits begin.
  func claimEffects(until time: Int) throws(JournalError) -> [DueSession]
  /// The changes of all nodes after a place, oldest first per session. Without a place none, but the newest place, and `isLacking` is set.
  func changes(after cursor: ChangeCursor?) throws(JournalError) -> SessionChanges
  /// Calls `wake` soon after another node has committed, on a thread of the journal. It is a hint, which may be missing. Called once, before any read.
  func onChange(_ wake: @escaping @Sendable () -> Void) throws(ThreadError)
  /// The entries with a revision above `after`, oldest first. Throws `.forgotten` if `after` is before the beginning. The number of rows read does not
  /// depend on their position.
  func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [JournalEntry]
  /// The canonical text of a definition; `nil` if it is not stored.
  func definition(_ hash: String) throws(JournalError) -> String?
  /// A decrypted secret, for the single call that needs it.
  func secret(_ slot: SecretSlot, of session: String) throws(JournalError) -> String?
  /// The response stored under a key of a session, expired or not, if it is among the newest `KeptAnswer.limit`. The response to a creation outlives
  /// its session, without its content. `toWrite` is set on the writer's thread.
  func answer(_ key: AnswerKey, of session: String, toWrite: Bool) throws(JournalError) -> KeptAnswer?
  /// The keys of a session under which responses are stored, expired or not, without the key of the creation. Called on the writer's thread.
  func keys(of session: String) throws(JournalError) -> [Fingerprint]
  /// Deletes some of the responses that have expired at `time`. Returns the time of the next call, or `nil` if no responses are left. Called on the
  /// writer's thread.
  func forgetAnswers(expiredAt time: Int) throws(JournalError) -> Int?
  /// 32 random bytes that are created with the journal and never change. Session ids are derived from clients' keys with them.
  var derivationKey: [UInt8] { get }
  /// The key for the hashes of entries.
  var hashKey: SipHash.Key { get }
  /// Stores a ticket by its hash until a time, in milliseconds since 1970 like `now`, so that any node can accept it. `place` is what it opens. Returns
  /// `false` if there are `limit` unused tickets for the place. Only for journals that nodes share.
  func keepTicket(_ hash: [UInt8], _ content: [UInt8], for place: String, until: Int, now: Int, limit: Int) throws(JournalError) -> Bool
  /// The content of an unused ticket; `nil` if there is none for the place. The ticket is used up unless `isLook` is set: of several nodes one gets
  /// it. Only for journals that nodes share.
  func takeTicket(_ hash: [UInt8], for place: String, now: Int, isLook: Bool) throws(JournalError) -> [UInt8]?
  /// The newest edition of each app, sorted by the app's name.
  func editions() throws(JournalError) -> [Edition]
  /// The newest `Edition.limit` editions of an app, oldest first.
  func editions(of app: String) throws(JournalError) -> [Edition]
  /// Stores editions in order, with the texts of their definitions by hash. Returns when they are on disk. If `known` is given, throws `.outdated` and
  /// stores nothing if an app has another newest edition. `rollout` is stored in the same commit; throws `.outdated` and stores nothing if its app has
  /// another version. Called on the writer's thread.
  func publish(
    _ editions: [Edition], texts: [String: String], after known: KnownEditions?, with rollout: RolloutChange?) throws(JournalError)
  /// The migration documents of an app, sorted by the hashes of their definitions.
  func migrations(of app: String) throws(JournalError) -> [StoredMigration]
  /// Stores a migration document, which replaces one between the same definitions. Returns when it is on disk. Called on the writer's thread.
  func keep(_ migration: StoredMigration) throws(JournalError)
  /// The newest rollout of each app. A row that cannot be read is reported beside the others.
  func rollouts() throws(JournalError) -> StoredRollouts
  /// Stores a rollout in place of the app's version `known`; 0 for none. Throws `.outdated` and stores nothing if the app has another version. Any
  /// thread.
  func keep(_ rollout: Rollout, after known: Int) throws(JournalError)
  /// The definitions of an app's sessions, by hash.
  func uses(of app: String) throws(JournalError) -> [DefinitionUse]
  /// Announces that sessions of this definition will be read, so that the backend can prepare shared data. Any thread.
  func expect(_ definition: PinnedDefinition)
  /// The ids of sessions by creation after a place, each with its place. Begins with the first session if `after` is 0. Reads no state.
  func roster(after place: Int, limit: Int) throws(JournalError) -> [(place: Int, id: String)]
  /// The snapshots with revisions above `after` up to `last`, by revision. Throws `.unreadable` if one cannot be read.
  func snapshots(of session: String, after revision: Int, through last: Int) throws(JournalError) -> [Int: State]
  /// Claims a task that one node performs for all, for a time in milliseconds. Returns `false` while another node has it, unless this node takes it
  /// over: the other one may have ended.
  func claim(_ task: BackgroundTask, for time: Int, takingOver: Bool) throws(JournalError) -> Bool
  /// The size of a session's journal in bytes, as counted since its first write by this process; `nil` before that. Performs no read.
  func bytes(of session: String) -> Int?
  /// The number of sessions.
  func count() throws(JournalError) -> Int
  /// Statistics of the journal. Any thread.
  var figures: JournalFigures { get }
  /// Commits a small write, to find out whether the journal can be written again.
  func probe() throws(JournalError)
  /// Flushes all data and releases the files. Later calls throw `.closed`.
  func close()
}

extension Journal {
  package var startFault: JournalError? { nil }

  /// Stores editions without a check.
  package func publish(_ editions: [Edition], texts: [String: String]) throws(JournalError) {
    try publish(editions, texts: texts, after: nil)
  }

  /// Stores editions without a rollout.
  package func publish(_ editions: [Edition], texts: [String: String], after known: KnownEditions?) throws(JournalError) {
    try publish(editions, texts: texts, after: known, with: nil)
  }

  /// Claims a task that no other node has.
  package func claim(_ task: BackgroundTask, for time: Int) throws(JournalError) -> Bool {
    try claim(task, for: time, takingOver: false)
  }

  /// Without other nodes no session needs to be held.
  package func holding(_ session: String, _ body: () -> Void) throws(JournalError) { body() }

  package func keepTicket(
    _ hash: [UInt8], _ content: [UInt8], for place: String, until: Int, now: Int, limit: Int
  ) throws(JournalError) -> Bool { false }

  package func takeTicket(_ hash: [UInt8], for place: String, now: Int, isLook: Bool) throws(JournalError) -> [UInt8]? { nil }

  package func sessions(_ ids: [String], toWrite: Bool) throws(JournalError) -> [String: SessionRecord] {
    var found: [String: SessionRecord] = [:]
    for id in ids { found[id] = try session(id, toWrite: toWrite) }
    return found
  }

  package func changed(since known: [Session], toWrite: Bool) throws(JournalError) -> [Int: SessionRecord?] {
    var changed: [Int: SessionRecord?] = [:]
    for (index, session) in known.enumerated() where try version(of: session.id) != session.version {
      changed[index] = .some(try self.session(session.id, toWrite: toWrite))
    }
    return changed
  }

  package func changes(after cursor: ChangeCursor?) throws(JournalError) -> SessionChanges {
    SessionChanges([], cursor: cursor ?? ChangeCursor())
  }

  package func onChange(_ wake: @escaping @Sendable () -> Void) throws(ThreadError) {}

  package func bytes(of session: String) -> Int? { nil }
  package func expect(_ definition: PinnedDefinition) {}

  package var hashKey: SipHash.Key { SipHash.Key(from: derivationKey, for: "entries") }

  package var figures: JournalFigures { JournalFigures() }

  package func session(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> SessionRecord? {
    let record = try session(id)
    return opens(record?.secretHash) ? record : nil
  }

  package func roster(after place: Int, limit: Int) throws(JournalError) -> [(place: Int, id: String)] { [] }

  package func snapshots(of session: String, after revision: Int, through last: Int) throws(JournalError) -> [Int: State] { [:] }

  /// Without other nodes every task is this node's.
  package func claim(_ task: BackgroundTask, for time: Int, takingOver: Bool) throws(JournalError) -> Bool { true }

  /// The response stored under a key of a session, for the writer.
  package func answer(_ key: AnswerKey, of session: String) throws(JournalError) -> KeptAnswer? {
    try answer(key, of: session, toWrite: true)
  }

  /// The newest committed state of a session for reading; `nil` if the session does not exist.
  package func session(_ id: String) throws(JournalError) -> SessionRecord? { try session(id, toWrite: false) }
}
