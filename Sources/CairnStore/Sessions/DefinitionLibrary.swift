import CairnCore
import CairnRuntime

/// A cache of parsed definitions by hash. Sessions may use definitions whose files no longer exist, so missing definitions are read from the journal.
final class DefinitionLibrary: Sendable {
  private let read: @Sendable (String) throws -> PinnedDefinition
  private let known: Lock<RecentlyUsed<String, PinnedDefinition>>

  /// `limit` bounds the canonical texts of the cached definitions in bytes. The least recently used definitions are dropped; one is always kept.
  init(limit: Int = 32 << 20, read: @escaping @Sendable (String) throws -> PinnedDefinition) {
    self.read = read
    known = Lock(RecentlyUsed(limit: limit))
  }

  /// The number of cached definitions, and the bytes of their texts. Any thread.
  var size: (count: Int, bytes: Int) { known.withLock { ($0.count, $0.weight) } }

  /// Adds a definition to the cache.
  func remember(_ definition: PinnedDefinition, for journal: any Journal) {
    let isNew = known.withLock { known in
      let isNew = known[definition.hash] == nil
      if isNew { known.keep(definition, for: definition.hash, weight: definition.text.utf8.count) }
      return isNew
    }
    if isNew { journal.expect(definition) }
  }

  /// The definition with this hash, from the cache or the journal. Throws `unreadable` if it does not exist or cannot be parsed. Any thread.
  func definition(_ hash: String, in journal: any Journal) throws(JournalError) -> PinnedDefinition {
    if let definition = known.withLock({ $0[hash] }) { return definition }
    guard let text = try journal.definition(hash) else { throw .unreadable("the definition \(hash) is missing from the journal") }
    let definition = try self.definition(hash, text: text)
    remember(definition, for: journal)
    return definition
  }

  /// Parses a definition that is not in the journal. Throws `unreadable` if the text cannot be parsed or has another hash. Any thread.
  func definition(_ hash: String, text: String) throws(JournalError) -> PinnedDefinition {
    if let definition = known.withLock({ $0[hash] }), definition.text == text { return definition }
    let definition: PinnedDefinition
    do {
      definition = try read(text)
    } catch {
      throw .unreadable("definition \(hash): \(error)")
    }
    guard definition.hash == hash else { throw .unreadable("the hash of definition \(hash) is now \(definition.hash)") }
    return definition
  }

  /// The definition with this hash; `nil` if it does not exist.
  func find(_ hash: String, in journal: any Journal) throws(JournalError) -> PinnedDefinition? {
    if let definition = known.withLock({ $0[hash] }) { return definition }
    return try journal.definition(hash) == nil ? nil : definition(hash, in: journal)
  }

  /// Builds a session from its record. Throws `unreadable` if a number of its row is damaged.
  func session(_ record: SessionRecord, in journal: any Journal) throws(JournalError) -> Session {
    guard State.isTime(record.createdAt), State.isTime(record.updatedAt) else {
      throw .unreadable("session \(record.id): its time is before 1970 or after the year 9999")
    }
    return Session(
      record.identity, definition: try definition(record.definition, in: journal), updatedAt: record.updatedAt, state: record.state,
      hash: record.hash, beginning: record.beginning)
  }
}

extension Session {
  /// The part of the session that the journal stores.
  var record: SessionRecord {
    SessionRecord(identity, definition: definition.hash, updatedAt: updatedAt, state: state, hash: hash, beginning: beginning)
  }
}
