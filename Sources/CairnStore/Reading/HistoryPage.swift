/// A page of a session's history, oldest entry first. The caller converts the entries to `Item`.
package struct HistoryPage<Item: Sendable>: Sendable {
  package var items: [Item] = []
  /// The revision of the last entry; `nil` if the page is empty.
  package var last: Int?
  /// Whether further entries exist.
  package var more = false

  package init() {}
}
