/// Some of the sessions that were asked for, by creation, oldest first. It may hold fewer than asked for, even none, though there are
/// further ones: who looks for what is rare gives an answer in between.
package struct SessionPage: Hashable, Sendable {
  package var ids: [String]
  /// Where the next page begins, in the journal's own words; nil: there is none. It holds whatever becomes of the sessions.
  package var next: String?

  package init(ids: [String], next: String? = nil) {
    self.ids = ids
    self.next = next
  }
}
