import CairnCore

/// Holds what is kept of a session against its entries: every entry is run again, where the engine is the same, and every state that is
/// kept must be the one that it leads to. One check at a time; takes time with the length of the session.
package struct SessionCheck: Sendable {
  private let journal: any Journal
  private let library: DefinitionLibrary
  private let opensSecrets: Bool

  /// Entries are read in pages of this many.
  private static let page = 128

  /// `definitions` reads a canonical text. `opensSecrets`: whether the journal has the keys for that.
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

  /// The fault of a session, for the log, without any secret; `nil` if it has none or does not exist. Throws errors that are not the
  /// session's (a journal that is closed, or busy). `isWanted` is called before each page of entries; once it returns false, this throws
  /// `closed`.
  package func fault(of id: String, while isWanted: () -> Bool = { true }) throws(JournalError) -> String? {
    do {
      guard let record = try journal.session(id) else { return nil }
      let session = try library.session(record, in: journal)
      let state = try replayed(session, while: isWanted)
      guard let state, state == session.state else {
        // It may have been deleted in between: then it has no fault.
        if state == nil, try journal.revision(of: id) == nil { return nil }
        return "its state is not the one that its entries lead to"
      }
      if opensSecrets { try open(session) }
      return nil
    } catch {
      return switch error {
      case .unreadable(let text), .corrupt(let text): text
      case .busy, .full, .readOnly, .conflict, .tooLarge, .io, .closed: throw error
      }
    }
  }

  /// The text of a definition is readable, and its hash is its own.
  package func fault(ofDefinition hash: String) throws(JournalError) -> String? {
    do {
      _ = try library.definition(hash, in: journal)
      return nil
    } catch {
      guard case .unreadable(let text) = error else { throw error }
      return text
    }
  }

  /// The state that all entries lead to; nil: they end too early.
  private func replayed(_ session: Session, while isWanted: () -> Bool) throws(JournalError) -> State? {
    var replay = Replay(session.definition.reducer)
    var revision = 0
    var hash = session.birth.hash(journal.hashKey)
    while revision < session.state.revision {
      guard isWanted() else { throw .closed }
      let page = try journal.entries(of: session.id, after: revision, limit: min(Self.page, session.state.revision - revision))
      guard !page.isEmpty else { return nil }
      for entry in page {
        guard entry.entry.revision == revision + 1 else { throw .unreadable("entry \(revision + 1) is not there") }
        revision += 1
        hash = entry.hash(after: hash, journal.hashKey)
        guard hash == entry.hash else { throw .unreadable("entry \(revision) is not the one that was written: its hash differs") }
        try replay.check(entry)
        if let kept = try journal.snapshot(of: session.id, at: revision), kept != replay.state {
          throw .unreadable("the state that is kept at entry \(revision) is not the one that it leads to")
        }
      }
    }
    guard hash == session.hash else { throw .unreadable("its head has another hash than its newest entry") }
    return replay.state
  }

  private func open(_ session: Session) throws(JournalError) {
    let hasToken = try journal.secret(.token, of: session.id) != nil
    if !hasToken, session.state.facts[FactDefinition.accessToken] != nil { throw .unreadable("its access token is missing") }
    for effect in session.state.effects where effect.isExchange {
      guard try journal.secret(.code(effect: effect.id), of: session.id) != nil else {
        throw .unreadable("the code of its effect \(effect.id) is missing")
      }
    }
  }
}
