/// Who asked for something, and by which request. It is stored with each entry that follows; nothing is decided by it.
package struct EntryOrigin: Hashable, Sendable {
  /// The operator, by name; nil: the session's own client, or the service by itself.
  package var author: String?
  /// The id of the request; nil: there was none.
  package var request: String?

  package init(author: String? = nil, request: String? = nil) {
    self.author = author
    self.request = request
  }
}
