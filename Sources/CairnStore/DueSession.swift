/// A session whose effects have to be looked at.
package struct DueSession: Hashable, Sendable {
  package var id: String
  /// When, milliseconds since 1970; 0: at once.
  package var due: Int

  package init(id: String, due: Int) {
    self.id = id
    self.due = due
  }
}
