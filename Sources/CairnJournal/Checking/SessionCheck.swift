import CairnCore

/// Checks the stored data of a session against its entries. Applies the difference of every entry. Compares the resulting states with the stored ones and,
/// for entries of the current engine version, with the states that the reducer computes. The time of a check is proportional to the length of the session.
package struct SessionCheck: Sendable {
  private let journal: any Journal
  private let library: DefinitionLibrary
  private let opensSecrets: Bool
  private let importChecks: ImportChecks?

  /// The number of entries per read.
  private static let page = 128

  /// Creates a check. `definitions` parses a canonical text. `opensSecrets` is whether the journal has the keys to decrypt secrets. With
  /// `importChecks`, data that an import of the session's file would refuse also counts as a fault.
  package init(
    _ journal: any Journal, definitions: @escaping @Sendable (String) throws -> PinnedDefinition, opensSecrets: Bool = true,
    importChecks: ImportChecks? = nil
  ) {
    self.init(journal, DefinitionLibrary(read: definitions), opensSecrets: opensSecrets, importChecks: importChecks)
  }

  package init(_ journal: any Journal, _ library: DefinitionLibrary, opensSecrets: Bool = true, importChecks: ImportChecks? = nil) {
    self.journal = journal
    self.library = library
    self.opensSecrets = opensSecrets
    self.importChecks = importChecks
  }

  /// The fault of a session as a text for the log without secrets; `nil` if the session has no fault or does not exist. Throws errors that
  /// do not concern the session, such as a closed or busy journal. `isWanted` is called before each page of entries; once it returns
  /// `false`, this function throws `closed`.
  package func fault(of id: String, while isWanted: () -> Bool = { true }) throws(JournalError) -> String? {
    do {
      guard let record = try journal.sessions.session(id) else { return nil }
      let definition = try library.definition(of: record, in: journal.documents)
      let state = try replayed(record, of: definition, while: isWanted)
      guard let state, state == record.state else {
        // A session that was deleted during the check has no fault.
        if state == nil, try journal.sessions.version(of: id) == nil { return nil }
        return "its state differs from the state that its entries produce"
      }
      if opensSecrets { try open(record) }
      if let importChecks {
        if let fault = record.label.flatMap(importChecks.line) { return "its label \(fault)" }
        if let fault = state.faults.first { return "its newest state is inconsistent: \(fault)" }
      }
      return nil
    } catch {
      return switch error {
      case .unreadable(let text), .corrupt(let text): text
      // The history was forgotten during the check, which is not a fault.
      case .forgotten: nil
      case .busy, .full, .readOnly, .conflict, .outdated, .tooLarge, .io, .uncertain, .closed: throw error
      }
    }
  }

  /// The fault of a definition: its text is unreadable or does not match its hash, or an import would refuse it. `nil` if the definition
  /// has no fault.
  package func fault(ofDefinition hash: String) throws(JournalError) -> String? {
    do {
      let definition = try library.definition(hash, in: journal.documents)
      return importChecks?.definition(definition).map { "definition \(hash) of \(definition.definition.app): \($0)" }
    } catch {
      guard case .unreadable(let text) = error else { throw error }
      return text
    }
  }

  /// The faults of the documents about apps: documents that differ from what was written, and newest editions whose definition cannot be
  /// read or belongs to another app.
  package func documentFaults() throws(JournalError) -> [String] {
    var faults = try journal.documents.documents(DocumentQuery()).compactMap(\.fault)
    let editions = try journal.documents.editions()
    faults += editions.damaged.sortedByKey.map { "the app \($0.key): \($0.value)" }
    for edition in editions.intact { if let fault = try fault(of: edition) { faults.append(fault) } }
    return faults
  }

  /// The fault of an app's newest edition; `nil` if its definition can be read and belongs to the app.
  private func fault(of edition: Edition) throws(JournalError) -> String? {
    do {
      let app = try library.definition(edition.definition, in: journal.documents).definition.app
      return app == edition.app ? nil : "the newest edition of \(edition.app): its definition belongs to the app \(app)"
    } catch {
      guard case .unreadable(let text) = error else { throw error }
      return "the newest edition of \(edition.app): \(text)"
    }
  }

  /// The state after replaying all entries; `nil` if the newest entries are missing. Throws `unreadable` at the first fault.
  private func replayed(
    _ session: SessionRecord, of definition: PinnedDefinition, while isWanted: () -> Bool
  ) throws(JournalError) -> State? {
    let beginning = try beginning(of: session)
    var replay = Replay(definition.reducer, reducers: library.reducers(in: journal.documents))
    var (revision, hash) = (0, session.identity.hash(journal.hashKey))
    if let beginning {
      let reducer = try library.definition(beginning.definition, in: journal.documents).reducer
      replay = Replay(reducer, from: beginning.state, reducers: library.reducers(in: journal.documents))
      (revision, hash) = (beginning.revision, beginning.hash)
      try admit(nil, beginning.state, beginning.definition)
    }
    while revision < session.state.revision {
      guard isWanted() else { throw .closed }
      let page = try journal.history.entries(of: session.id, after: revision, limit: min(Self.page, session.state.revision - revision))
      guard let last = page.last?.entry.revision else { return nil }
      let snapshots = try journal.history.snapshots(of: session.id, after: revision, through: last)
      for entry in page {
        guard entry.entry.revision == revision + 1 else { throw .unreadable("entry \(revision + 1) is missing from the journal") }
        revision += 1
        hash = entry.hash(after: hash, journal.hashKey)
        guard hash == entry.hash else { throw .unreadable("entry \(revision) was changed after it was written: its hash differs") }
        try replay.check(entry)
        try admit(entry.entry, replay.state, replay.definition ?? beginning?.definition ?? session.definition)
        if let kept = snapshots[revision], kept != replay.state {
          throw .unreadable("the snapshot at entry \(revision) differs from the state that the entries produce")
        }
      }
    }
    guard hash == session.hash else { throw .unreadable("the hash of its head differs from that of its newest entry") }
    guard replay.definition ?? beginning?.definition ?? session.definition == session.definition else {
      throw .unreadable("the definition of its head differs from that of its entries")
    }
    return replay.state
  }

  /// Throws if an import would refuse the entry, or a state that no action produced. `entry` is `nil` for the state with which a history
  /// begins after earlier entries were forgotten.
  private func admit(_ entry: Entry?, _ state: State?, _ definition: String) throws(JournalError) {
    guard let importChecks else { return }
    if let entry, let fault = importChecks.fault(of: entry) { throw .unreadable("entry \(entry.revision): \(fault)") }
    guard entry?.isReplacement ?? true, let state else { return }
    if let fault = ImportChecks.fault(of: state, try library.definition(definition, in: journal.documents)) {
      throw .unreadable("the state of revision \(state.revision) is inconsistent: \(fault)")
    }
  }

  /// The state with which the session's journal begins; `nil` if nothing was forgotten.
  private func beginning(of session: SessionRecord) throws(JournalError) -> PastState? {
    guard let beginning = try journal.history.beginning(of: session.id) else { return nil }
    guard beginning.identity == session.identity.hash(journal.hashKey) else {
      throw .unreadable("its app, its time of creation or its secret was changed after it was written")
    }
    return try journal.history.past(of: session.id, at: beginning.revision)
  }

  private func open(_ session: SessionRecord) throws(JournalError) {
    for slot in session.state.secretSlots {
      // Reading the secret decrypts it, which fails if it is damaged.
      guard try journal.sessions.secret(slot, of: session.id) == nil, !slot.mayBeGone else { continue }
      let secret =
        switch slot {
        case .token: "its access token"
        case .code(let effect): "the authorization code of its token call or the access token of its message (effect \(effect))"
        case .param(let number): "its secret param \(number)"
        }
      throw .unreadable("\(secret) is missing")
    }
  }
}
