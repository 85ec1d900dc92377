package import CairnCore

/// The durable storage. One backend, one room; nothing above may know which one runs. Only the writer commits; the reading calls come from
/// the writer's and the readers' threads at the same time.
package protocol Journal: Sendable {
  /// Whether no other process writes to it as long as it is open: then a state in memory is current.
  var isExclusive: Bool { get }
  /// Why writing fails from the start on, until `probe` succeeds; nil: it does not. Reads work all the same.
  var startFault: JournalError? { get }
  /// Writes a batch and returns when it is on disk, with the sessions whose part could not be written, and why: nothing of those is there,
  /// all of the others. On an error nothing of the batch is there.
  @discardableResult func commit(_ batch: JournalBatch) throws(JournalError) -> [String: JournalError]
  /// The newest committed state of a session; nil: there is none. `toWrite`: the writer asks, which writes what follows from it.
  func session(_ id: String, toWrite: Bool) throws(JournalError) -> SessionRecord?
  /// The newest committed state of a session, if `opens` accepts the hash of its secret (`nil` if there is no such session); else `nil`. Finding
  /// the hash takes the same work for an unknown session as for a known one, as far as the backend can see to it.
  func session(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> SessionRecord?
  /// The revision of the newest committed state; nil: there is no such session. Costs less than the state.
  func revision(of id: String) throws(JournalError) -> Int?
  /// A session as it was at a revision that it has reached; nil: there is no such session. A bounded number of reads, however long the
  /// session is.
  func past(of id: String, at revision: Int) throws(JournalError) -> PastState?
  /// Sessions by creation, oldest first, without their states; nil: the session that `after` names is not there. A bounded number of reads,
  /// however many there are.
  func sessions(_ query: SessionQuery) throws(JournalError) -> SessionPage?
  /// The hashes of the definitions that are kept.
  func definitions() throws(JournalError) -> [String]
  /// Claims the effects of sessions that no node has claimed, until a time (milliseconds since 1970): no other node gets them before. Call
  /// it again before that time. Reads no state.
  func claimEffects(until time: Int) throws(JournalError) -> [DueSession]
  /// Entries with a revision above `after`, oldest first. Reads about as many rows as it gives, wherever they stand.
  func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [JournalEntry]
  /// The canonical text of a definition.
  func definition(_ hash: String) throws(JournalError) -> String?
  /// A secret in clear; for the one call that needs it.
  func secret(_ slot: SecretSlot, of session: String) throws(JournalError) -> String?
  /// The response kept under a key of a session, expired or not, if it is among the newest `KeptAnswer.limit` of it. That of a creation
  /// outlives its session, without content then. `toWrite`: the writer calls, on its own thread.
  func answer(_ key: AnswerKey, of session: String, toWrite: Bool) throws(JournalError) -> KeptAnswer?
  /// The keys of a session, its creation's not among them, under which answers are kept, expired or not. The writer's thread.
  func keys(of session: String) throws(JournalError) -> [Fingerprint]
  /// Lets go of answers that were kept until this time or before, some at a time, and says when to come again; nil: none is left. The
  /// writer's thread.
  func forgetAnswers(expiredAt time: Int) throws(JournalError) -> Int?
  /// 32 random bytes that were made with the journal and never change. Ids derived from clients' keys are derived with them.
  var derivationKey: [UInt8] { get }
  /// The key of the entries' hashes.
  var hashKey: SipHash.Key { get }
  /// The newest edition of each app, by the apps' names.
  func editions() throws(JournalError) -> [Edition]
  /// The newest `Edition.limit` editions of an app, oldest first.
  func editions(of app: String) throws(JournalError) -> [Edition]
  /// Keeps editions, in order, with the texts of their definitions by hash; returns when they are on disk. The writer's thread.
  func publish(_ editions: [Edition], texts: [String: String]) throws(JournalError)
  /// The definitions of an app's sessions, by hash.
  func uses(of app: String) throws(JournalError) -> [DefinitionUse]
  /// Sessions of this definition will be read; what they have in common may be made ready. Any thread.
  func expect(_ definition: PinnedDefinition)
  /// Ids of sessions by creation, behind a place, which each has beside it; 0: from the first. Reads no state.
  func roster(after place: Int, limit: Int) throws(JournalError) -> [(place: Int, id: String)]
  /// The whole state that is kept at exactly this revision; nil: none is. `.unreadable`: one is, and cannot be read.
  func snapshot(of session: String, at revision: Int) throws(JournalError) -> State?
  /// Bytes of a session's journal, as far as they were counted since it was first written to; nil: not yet. Reads nothing.
  func bytes(of session: String) -> Int?
  /// How many sessions there are.
  func count() throws(JournalError) -> Int
  /// The journal's figures. Any thread.
  var figures: JournalFigures { get }
  /// Writes something small and commits it: whether the journal can be written again.
  func probe() throws(JournalError)
  /// Writes everything to its final place and releases it. Later calls throw `.closed`.
  func close()
}

extension Journal {
  package var startFault: JournalError? { nil }

  package func bytes(of session: String) -> Int? { nil }
  package func expect(_ definition: PinnedDefinition) {}

  package var hashKey: SipHash.Key { SipHash.Key(from: derivationKey, for: "entries") }

  package var figures: JournalFigures { JournalFigures() }

  package func session(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> SessionRecord? {
    let record = try session(id)
    return opens(record?.secretHash) ? record : nil
  }

  package func roster(after place: Int, limit: Int) throws(JournalError) -> [(place: Int, id: String)] { [] }

  package func snapshot(of session: String, at revision: Int) throws(JournalError) -> State? { nil }

  /// The response kept under a key of a session, for the writer.
  package func answer(_ key: AnswerKey, of session: String) throws(JournalError) -> KeptAnswer? {
    try answer(key, of: session, toWrite: true)
  }

  /// The newest committed state of a session, to look at it; nil: there is none.
  package func session(_ id: String) throws(JournalError) -> SessionRecord? { try session(id, toWrite: false) }
}
