/// A migration document of an app as stored in the journal.
package struct StoredMigration: Hashable, Sendable {
  package var app: String
  /// The hashes of the definitions.
  package var from, to: String
  /// The canonical text of the document.
  package var document: String
  /// The time at which it was put, in milliseconds since 1970.
  package var since: Int
  /// The operator who put it.
  package var author: String?

  package init(app: String, from: String, to: String, document: String, since: Int, author: String?) {
    self.app = app
    self.from = from
    self.to = to
    self.document = document
    self.since = since
    self.author = author
  }
}
