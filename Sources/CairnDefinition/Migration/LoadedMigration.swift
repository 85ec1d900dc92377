package import CairnCore

/// A migration together with its canonical text and the hashes of its two definitions.
package struct LoadedMigration: Hashable, Sendable {
  package var migration: Migration
  /// The document as canonical JSON without the paths `from` and `to`: sorted members, no whitespace, no comments.
  package var canonical: String
  /// The hash of the old definition.
  package var from: String
  /// The hash of the new definition.
  package var to: String

  package init(migration: Migration, canonical: String, from: String, to: String) {
    self.migration = migration
    self.canonical = canonical
    self.from = from
    self.to = to
  }
}
