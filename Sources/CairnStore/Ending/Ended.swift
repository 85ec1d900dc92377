/// The result of a request to end many sessions.
package struct Ended: Hashable, Sendable {
  /// How many were ended.
  package var count: Int
  /// Where to go on: what the query did not reach; nil: it is done.
  package var next: String?

  package init(count: Int, next: String? = nil) {
    self.count = count
    self.next = next
  }
}
