/// A page of the list of sessions, oldest first. The caller converts the sessions to `Item`.
package struct SessionList<Item: Sendable>: Sendable {
  package var items: [Item] = []
  /// The ids of sessions in this page that cannot be read.
  package var damaged: [String] = []
  /// The cursor of the next page; `nil` if this is the last page.
  package var next: String?

  package init() {}
}
