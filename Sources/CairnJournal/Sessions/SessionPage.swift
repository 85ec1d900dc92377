/// The ids of some sessions that match a query, in the order of creation. A page may contain fewer ids than requested, even none, although
/// more sessions match. This bounds the work of a query that few sessions match.
package struct SessionPage: Hashable, Sendable {
  package var ids: [String]
  /// The cursor of the next page in a format of the journal; `nil` if this is the last page. It remains valid if sessions are deleted.
  package var next: String?

  package init(ids: [String], next: String? = nil) {
    self.ids = ids
    self.next = next
  }
}
