/// The newest committed states of sessions.
package protocol SessionStates: Sendable {
  /// The newest committed state of a session; `nil` if the session does not exist.
  func session(_ id: String) throws(JournalError) -> SessionRecord?
  /// The newest committed states of the sessions that exist, by id.
  func sessions(_ ids: [String]) throws(JournalError) -> [String: SessionRecord]
  /// The sessions whose version in the journal differs from the known one, by their index in `known`, with their newest states. The state is `nil` if the
  /// session must be read completely, or does not exist. Compares all sessions in one step, and reads only newer data.
  func changed(since known: [SessionRecord]) throws(JournalError) -> [Int: SessionRecord?]
}

/// The sessions of a journal. Can be called on any thread except the writer's.
package protocol SessionJournal: SessionStates {
  /// The newest committed state of a session if `opens` accepts the hash of its secret, otherwise `nil`. `opens` is called with `nil` if
  /// the session does not exist. If the backend can ensure it, the lookup takes the same time for unknown and known sessions.
  func session(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> SessionRecord?
  /// The version of the newest committed state; `nil` if the session does not exist. Cheaper than reading the state. May also be called on the writer's thread.
  func version(of id: String) throws(JournalError) -> SessionVersion?
  /// The ids of sessions in the order of their creation; `nil` if the session that `after` names does not exist. The number of reads is
  /// bounded, even if there are many sessions.
  func page(_ query: SessionQuery) throws(JournalError) -> SessionPage?
  /// The ids of the sessions after a place, in the order of creation, each with the session's place. Begins with the first session if
  /// `place` is 0. Reads no states.
  func roster(after place: Int, limit: Int) throws(JournalError) -> [(place: Int, id: String)]
  /// The decrypted secret in a slot; `nil` if the slot is empty. Callers read a secret only when a call needs it. May also be called on the
  /// writer's thread.
  func secret(_ slot: SecretSlot, of session: String) throws(JournalError) -> String?
  /// The definitions that an app's sessions use, sorted by hash.
  func uses(of app: String) throws(JournalError) -> [DefinitionUse]
  /// The size of a session's journal in bytes; `nil` if this process has not counted it yet. Performs no read.
  func bytes(of session: String) -> Int?
  /// The number of sessions, which may be an estimate if there are many.
  func count() throws(JournalError) -> Int
}

extension SessionStates {
  package func sessions(_ ids: [String]) throws(JournalError) -> [String: SessionRecord] {
    var found: [String: SessionRecord] = [:]
    for id in ids { found[id] = try session(id) }
    return found
  }

  package func changed(since known: [SessionRecord]) throws(JournalError) -> [Int: SessionRecord?] {
    var changed: [Int: SessionRecord?] = [:]
    for (index, record) in known.enumerated() {
      let newest = try session(record.id)
      if newest?.version != record.version { changed[index] = .some(newest) }
    }
    return changed
  }
}

extension SessionJournal {
  package func session(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> SessionRecord? {
    let record = try session(id)
    return opens(record?.secretHash) ? record : nil
  }

  package func bytes(of session: String) -> Int? { nil }
}
