package import CairnJournal

/// A page of a session's history, oldest entry first. The caller converts the entries to `Item`.
package struct HistoryPage<Item: Sendable>: Sendable {
  package var items: [Item] = []
  /// The revision of the last entry; `nil` if the page is empty.
  package var last: Int?
  /// The tag of the entry before the page; `nil` if the session has not reached it.
  package var base: RevisionTag?
  /// The revision with which the journal begins if earlier entries were forgotten; otherwise 0.
  package var beginning = 0
  /// Whether the history has entries after this page.
  package var more = false

  package init() {}
}
