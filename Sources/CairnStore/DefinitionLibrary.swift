import CairnRuntime

/// Definitions by hash, read once. A session may be pinned to one whose file is long gone: the journal has the text.
final class DefinitionLibrary: Sendable {
  private let read: @Sendable (String) throws -> PinnedDefinition
  private let known: Lock<RecentlyUsed<String, PinnedDefinition>>

  /// `limit`: bytes of canonical text of the definitions that are kept; those used last are, and one always is.
  init(limit: Int = 32 << 20, read: @escaping @Sendable (String) throws -> PinnedDefinition) {
    self.read = read
    known = Lock(RecentlyUsed(limit: limit))
  }

  /// How many definitions are kept, and the bytes of their texts. Any thread.
  var size: (count: Int, bytes: Int) { known.withLock { ($0.count, $0.weight) } }

  /// Keeps one that came with a new session.
  func remember(_ definition: PinnedDefinition, for journal: any Journal) {
    let isNew = known.withLock { known in
      let isNew = known[definition.hash] == nil
      if isNew { known.keep(definition, for: definition.hash, weight: definition.text.utf8.count) }
      return isNew
    }
    if isNew { journal.expect(definition) }
  }

  /// The definition with this hash; from the journal if it was not met since the start. Any thread.
  func definition(_ hash: String, in journal: any Journal) throws(JournalError) -> PinnedDefinition {
    if let definition = known.withLock({ $0[hash] }) { return definition }
    guard let text = try journal.definition(hash) else { throw .unreadable("definition \(hash) is not there") }
    let definition: PinnedDefinition
    do {
      definition = try read(text)
    } catch {
      throw .unreadable("definition \(hash): \(error)")
    }
    guard definition.hash == hash else { throw .unreadable("definition \(hash) has another hash now: \(definition.hash)") }
    remember(definition, for: journal)
    return definition
  }

  /// The same; nil: the journal has none with this hash.
  func find(_ hash: String, in journal: any Journal) throws(JournalError) -> PinnedDefinition? {
    if let definition = known.withLock({ $0[hash] }) { return definition }
    return try journal.definition(hash) == nil ? nil : definition(hash, in: journal)
  }

  /// A session out of its record.
  func session(_ record: SessionRecord, in journal: any Journal) throws(JournalError) -> Session {
    Session(
      record.birth, definition: try definition(record.definition, in: journal), updatedAt: record.updatedAt, state: record.state,
      hash: record.hash)
  }
}

extension Session {
  /// The part of it that the journal stores.
  var record: SessionRecord { SessionRecord(birth, updatedAt: updatedAt, state: state, hash: hash) }
}
