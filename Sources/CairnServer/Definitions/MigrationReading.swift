package import CairnCore
import CairnDefinition
package import CairnJournal

/// Converts migration documents between the forms of the store and of the loader.
package enum MigrationReading {
  /// Compiles a stored migration document.
  package static func migrator(_ document: String, _ old: PinnedDefinition, _ new: PinnedDefinition) throws -> Migrator {
    let loaded = try MigrationLoader.load(canonical: document, from: LoadedDefinition(old), to: LoadedDefinition(new))
    return Migrator(from: old.reducer, to: new.reducer, by: loaded.migration)
  }

  /// Checks a document that an operator put. Throws an `InvalidDefinition` with all faults.
  static func check(_ text: String, _ old: PinnedDefinition, _ new: PinnedDefinition) throws -> LoadedMigration {
    try MigrationLoader.load(
      file: "migration", text: text, from: try .init(LoadedDefinition(old)), to: try .init(LoadedDefinition(new)),
      names: (String(old.hash.prefix(12)), String(new.hash.prefix(12))))
  }
}

extension LoadedDefinition {
  init(_ pinned: PinnedDefinition) {
    self.init(definition: pinned.definition, canonical: pinned.text, hash: pinned.hash, warnings: [])
  }
}
