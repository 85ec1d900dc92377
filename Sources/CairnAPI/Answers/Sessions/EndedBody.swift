import CairnCore

/// The response to a request that ends many sessions.
package struct EndedBody: DescribedBody, Decodable, Sendable {
  /// Number of sessions that were ended.
  package var ended: Int
  /// The path of the request that continues with the remaining sessions; `nil` if all matching sessions have been ended.
  package var next: String?

  package init(ended: Int, next: String?) {
    self.ended = ended
    self.next = next
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("ended", body?.ended, "Number of sessions that were ended.", as: .whole(from: 0))
    visitor.maybe(
      "next", body?.next, "The path of the request that ends further sessions; missing if no more sessions match the filter.")
  }
}
