/// That an app is served with a definition from a moment on.
package struct Edition: Hashable, Sendable {
  package var app: String
  /// The definition's hash.
  package var definition: String
  /// Milliseconds since 1970.
  package var since: Int
  /// The operator who put it, by name; nil: it is the folder's.
  package var author: String?
  /// For a put definition: the hash of the folder's definition of the app at that time; `nil`: the folder had none.
  package var above: String?

  /// Editions of an app that are kept.
  package static let limit = 100

  package init(app: String, definition: String, since: Int, author: String? = nil, above: String? = nil) {
    self.app = app
    self.definition = definition
    self.since = since
    self.author = author
    self.above = above
  }
}
