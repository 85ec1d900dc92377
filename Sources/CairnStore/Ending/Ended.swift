/// The result of a request to end many sessions.
package struct Ended: Hashable, Sendable {
  /// The number of ended sessions.
  package var count: Int
  /// The cursor for the next request, empty if that request must begin with the first session; `nil` if all matching sessions have been
  /// ended.
  package var next: String?

  package init(count: Int, next: String? = nil) {
    self.count = count
    self.next = next
  }
}
