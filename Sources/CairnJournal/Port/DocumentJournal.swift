/// The definitions of apps and the documents about them. Can be called on any thread, unless stated otherwise.
package protocol DocumentJournal: Sendable {
  /// The hashes of the stored definitions.
  func definitions() throws(JournalError) -> [String]
  /// The canonical text of a definition; `nil` if it is not stored.
  func definition(_ hash: String) throws(JournalError) -> String?
  /// Announces that sessions of this definition will be read, so that the backend can prepare shared data.
  func expect(_ definition: PinnedDefinition)
  /// The documents of a query, sorted by kind, app and name.
  func documents(_ query: DocumentQuery) throws(JournalError) -> [StoredDocument]
  /// Stores changes of different documents, and the texts of new definitions by hash, in one commit. Returns when they are on disk. Throws
  /// `.outdated` and stores nothing if a document has another version than the known one. Throws `.uncertain` if it is unknown whether the
  /// changes were stored.
  func store(_ changes: [DocumentChange], texts: [String: String]) throws(JournalError)
}

extension DocumentJournal {
  package func expect(_ definition: PinnedDefinition) {}
}
