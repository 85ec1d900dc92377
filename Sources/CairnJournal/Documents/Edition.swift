package import CairnCore

/// The newest edition of each app that a publisher knows, by the app's name. Apps without editions have no entry.
package typealias KnownEditions = [String: Edition]

/// The definition that an app's new sessions use, from a certain time on.
package struct Edition: Hashable, Sendable {
  package var app: String
  /// The definition's hash.
  package var definition: String
  /// The start of use in milliseconds since 1970.
  package var since: Int
  /// The name of the operator who published the definition; `nil` if it comes from the definitions folder.
  package var author: String?
  /// For a definition that an operator published by a PUT: the hash of the definition that the definitions folder had for the app at that
  /// time; `nil` if it had none.
  package var above: String?

  /// The maximum number of editions that are kept per app.
  package static let limit = 100

  package init(app: String, definition: String, since: Int, author: String? = nil, above: String? = nil) {
    self.app = app
    self.definition = definition
    self.since = since
    self.author = author
    self.above = above
  }
}

// Encodes an edition for storage, without the app, which is a column of the document's row.
extension Edition: Coded {
  package static var blank: Edition { Edition(app: "", definition: "", since: .min) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Edition, _ coder: inout C) throws(C.Failure) {
    try coder.member("above", &it.above)
    try coder.member("author", &it.author)
    try coder.member("definition", &it.definition)
    try coder.member("since", &it.since)
  }
}
