/// Some entries of a session, oldest first, converted by the caller.
package struct HistoryPage<Item: Sendable>: Sendable {
  package var items: [Item] = []
  /// The revision of the last of them; nil: there is none.
  package var last: Int?
  /// Whether there are further ones.
  package var more = false

  package init() {}
}
