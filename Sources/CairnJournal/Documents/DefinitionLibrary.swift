import CairnCore
import CairnRuntime

/// A cache of parsed definitions by hash. Definitions that are not in the cache are read from the journal, because sessions may use
/// definitions whose files no longer exist.
package final class DefinitionLibrary: Sendable {
  private let read: @Sendable (String) throws -> PinnedDefinition
  private let known: Lock<RecentlyUsed<String, PinnedDefinition>>

  /// Creates a library. `limit` is the maximum total size of the canonical texts of the cached definitions, in bytes. If it is exceeded,
  /// the least recently used definitions are removed; one definition is always kept.
  package init(limit: Int = 32 << 20, read: @escaping @Sendable (String) throws -> PinnedDefinition) {
    self.read = read
    known = Lock(RecentlyUsed(limit: limit))
  }

  /// The number of cached definitions, and the bytes of their texts. Can be called on any thread.
  package var size: (count: Int, bytes: Int) { known.withLock { ($0.count, $0.weight) } }

  /// Adds a definition to the cache. If the cache did not contain it, announces the definition to `documents` (`DocumentJournal.expect`).
  package func remember(_ definition: PinnedDefinition, for documents: any DocumentJournal) {
    let isNew = known.withLock { known in
      let isNew = known[definition.hash] == nil
      if isNew { known.keep(definition, for: definition.hash, weight: definition.text.utf8.count) }
      return isNew
    }
    if isNew { documents.expect(definition) }
  }

  /// The definition with this hash, from the cache or the journal. Throws `unreadable` if it does not exist or cannot be parsed. Can be called on any thread.
  package func definition(_ hash: String, in documents: any DocumentJournal) throws(JournalError) -> PinnedDefinition {
    if let definition = known.withLock({ $0[hash] }) { return definition }
    guard let text = try documents.definition(hash) else { throw .unreadable("the definition \(hash) is missing from the journal") }
    let definition = try self.definition(hash, text: text)
    remember(definition, for: documents)
    return definition
  }

  /// The definition with this hash and text, from the cache or parsed from the text. Throws `unreadable` if the text cannot be parsed or
  /// has another hash. Can be called on any thread.
  package func definition(_ hash: String, text: String) throws(JournalError) -> PinnedDefinition {
    if let definition = known.withLock({ $0[hash] }), definition.text == text { return definition }
    let definition: PinnedDefinition
    do {
      definition = try read(text)
    } catch {
      throw .unreadable("definition \(hash): \(error)")
    }
    guard definition.hash == hash else { throw .unreadable("the text of definition \(hash) has the hash \(definition.hash)") }
    return definition
  }

  /// The definition with this hash; `nil` if it does not exist. Throws `unreadable` if it cannot be parsed.
  package func find(_ hash: String, in documents: any DocumentJournal) throws(JournalError) -> PinnedDefinition? {
    if let definition = known.withLock({ $0[hash] }) { return definition }
    return try documents.definition(hash) == nil ? nil : definition(hash, in: documents)
  }

  /// The app that the definition with this hash names; `nil` if no such definition exists, or if it cannot be read. If the result is `nil` for a hash from a
  /// damaged row, the caller uses the app that the row names, because the hash may be the damaged part.
  package func owner(of hash: String, in documents: any DocumentJournal) -> String? {
    do throws(JournalError) {
      return try find(hash, in: documents)?.definition.app
    } catch {
      return nil
    }
  }

  /// The definition of a session. Throws `unreadable` if the definition cannot be read, or if a time in the session's row is out of bounds,
  /// because the row is damaged.
  package func definition(of record: SessionRecord, in documents: any DocumentJournal) throws(JournalError) -> PinnedDefinition {
    guard State.isTime(record.createdAt), State.isTime(record.updatedAt) else {
      throw .unreadable("session \(record.id): its time is before 1970 or after the year 9999")
    }
    return try definition(record.definition, in: documents)
  }
}
