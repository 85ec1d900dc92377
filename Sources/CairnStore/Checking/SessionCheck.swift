import CairnCore

/// Checks the stored data of a session against its entries. Every entry is replayed if its engine version is the current one, and every stored state
/// must be the resulting one. Not safe for concurrent use. The time is proportional to the length of the session.
package struct SessionCheck: Sendable {
  private let journal: any Journal
  private let library: DefinitionLibrary
  private let opensSecrets: Bool

  /// The number of entries per read.
  private static let page = 128

  /// `definitions` parses a canonical text. `opensSecrets` tells whether the journal has the keys to decrypt secrets.
  package init(
    _ journal: any Journal, definitions: @escaping @Sendable (String) throws -> PinnedDefinition, opensSecrets: Bool = true
  ) {
    self.init(journal, DefinitionLibrary(read: definitions), opensSecrets: opensSecrets)
  }

  init(_ journal: any Journal, _ library: DefinitionLibrary, opensSecrets: Bool = true) {
    self.journal = journal
    self.library = library
    self.opensSecrets = opensSecrets
  }

  /// The fault of a session as a text for the log without secrets; `nil` if it has none or does not exist. Throws errors that do not concern the
  /// session, such as a closed or busy journal. `isWanted` is called before each page of entries; once it returns `false`, this throws `closed`.
  package func fault(of id: String, while isWanted: () -> Bool = { true }) throws(JournalError) -> String? {
    do {
      guard let record = try journal.session(id) else { return nil }
      let session = try library.session(record, in: journal)
      let state = try replayed(session, while: isWanted)
      guard let state, state == session.state else {
        // A session that was deleted during the check has no fault.
        if state == nil, try journal.version(of: id) == nil { return nil }
        return "its state differs from the state that its entries produce"
      }
      if opensSecrets { try open(session) }
      return nil
    } catch {
      return switch error {
      case .unreadable(let text), .corrupt(let text): text
      // The history was forgotten during the check.
      case .forgotten: nil
      case .busy, .full, .readOnly, .conflict, .outdated, .tooLarge, .io, .uncertain, .closed: throw error
      }
    }
  }

  /// The fault of a definition: its text is unreadable or does not match its hash. `nil` if it has none.
  package func fault(ofDefinition hash: String) throws(JournalError) -> String? {
    do {
      _ = try library.definition(hash, in: journal)
      return nil
    } catch {
      guard case .unreadable(let text) = error else { throw error }
      return text
    }
  }

  /// The state after replaying all entries; `nil` if some entries are missing at the end.
  private func replayed(_ session: Session, while isWanted: () -> Bool) throws(JournalError) -> State? {
    let beginning = try beginning(of: session)
    var replay = Replay(session.definition.reducer, reducers: library.reducers(in: journal))
    var (revision, hash) = (0, session.identity.hash(journal.hashKey))
    if let beginning {
      let reducer = try library.definition(beginning.definition, in: journal).reducer
      replay = Replay(reducer, from: beginning.state, reducers: library.reducers(in: journal))
      (revision, hash) = (beginning.revision, beginning.hash)
    }
    while revision < session.state.revision {
      guard isWanted() else { throw .closed }
      let page = try journal.entries(of: session.id, after: revision, limit: min(Self.page, session.state.revision - revision))
      guard let last = page.last?.entry.revision else { return nil }
      let snapshots = try journal.snapshots(of: session.id, after: revision, through: last)
      for entry in page {
        guard entry.entry.revision == revision + 1 else { throw .unreadable("entry \(revision + 1) is missing from the journal") }
        revision += 1
        hash = entry.hash(after: hash, journal.hashKey)
        guard hash == entry.hash else { throw .unreadable("entry \(revision) was changed after it was written: its hash differs") }
        try replay.check(entry)
        if let kept = snapshots[revision], kept != replay.state {
          throw .unreadable("the snapshot at entry \(revision) differs from the state that the entries produce")
        }
      }
    }
    guard hash == session.hash else { throw .unreadable("the hash of its head differs from that of its newest entry") }
    guard replay.definition ?? beginning?.definition ?? session.definition.hash == session.definition.hash else {
      throw .unreadable("the definition of its head differs from that of its entries")
    }
    return replay.state
  }

  /// The state with which the session's journal begins; `nil` if nothing was forgotten.
  private func beginning(of session: Session) throws(JournalError) -> PastState? {
    guard let beginning = try journal.beginning(of: session.id) else { return nil }
    guard beginning.identity == session.identity.hash(journal.hashKey) else {
      throw .unreadable("its app, its time of creation or its secret was changed after it was written")
    }
    return try journal.past(of: session.id, at: beginning.revision)
  }

  private func open(_ session: Session) throws(JournalError) {
    for slot in session.state.secretSlots {
      // Reading it decrypts it.
      guard try journal.secret(slot, of: session.id) == nil, !slot.mayBeGone else { continue }
      throw .unreadable(slot == .token ? "its access token is missing" : "the code of its effect \(slot.number) is missing")
    }
  }
}
