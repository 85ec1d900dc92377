/// The author and the request of an entry, which are stored with the entry only for audits.
package struct EntryOrigin: Hashable, Sendable {
  /// The name of the operator; `nil` if the session's own client or the service itself caused the entry.
  package var author: String?
  /// The id of the request; `nil` if no request caused the entry.
  package var request: String?

  package init(author: String? = nil, request: String? = nil) {
    self.author = author
    self.request = request
  }
}
