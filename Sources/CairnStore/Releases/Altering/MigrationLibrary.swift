import CairnCore
import CairnJournal
import CairnRuntime

/// Finds the chains of migrations between the definitions of an app. Documents are read from the journal each time, because another node
/// may have stored a new one; compiled documents are cached. Thread-safe.
final class MigrationLibrary: Sendable {
  /// Compiles a migration document for the definitions that it connects.
  typealias Reading = @Sendable (_ document: String, _ from: PinnedDefinition, _ to: PinnedDefinition) throws -> Migrator

  private struct Key: Hashable {
    var from, to, document: String
  }

  private let read: Reading
  private let definitions: DefinitionLibrary
  private let known: Lock<RecentlyUsed<Key, Migrator>>

  init(_ definitions: DefinitionLibrary, limit: Int = 16 << 20, read: @escaping Reading) {
    self.read = read
    self.definitions = definitions
    known = Lock(RecentlyUsed(limit: limit))
  }

  /// The shortest chain of migrations from one definition to another; `nil` if no chain exists.
  func way(from old: String, to new: String, of app: String, in documents: any DocumentJournal) throws(JournalError) -> MigrationChain? {
    let all = try documents.migrations(of: app) { definitions.owner(of: $0, in: documents) }
    var ways: [String: [StoredMigration]] = [old: []]
    var open = [old]
    while ways[new] == nil, !open.isEmpty {
      let here = open.removeFirst()
      for step in all where step.from == here && ways[step.to] == nil {
        ways[step.to] = (ways[here] ?? []) + [step]
        open.append(step.to)
      }
    }
    guard let way = ways[new], !way.isEmpty else { return nil }
    var migrators: [Migrator] = []
    for step in way { migrators.append(try migrator(step, in: documents)) }
    return MigrationChain(migrators)
  }

  private func migrator(_ stored: StoredMigration, in documents: any DocumentJournal) throws(JournalError) -> Migrator {
    let key = Key(from: stored.from, to: stored.to, document: stored.document)
    if let migrator = known.withLock({ $0[key] }) { return migrator }
    let (old, new) = (try definitions.definition(stored.from, in: documents), try definitions.definition(stored.to, in: documents))
    do {
      let migrator = try read(stored.document, old, new)
      known.withLock { $0.keep(migrator, for: key, weight: stored.document.utf8.count + old.text.utf8.count + new.text.utf8.count) }
      return migrator
    } catch {
      throw .unreadable("the migration from \(stored.from) to \(stored.to): \(error)")
    }
  }
}
