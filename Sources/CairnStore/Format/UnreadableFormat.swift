/// Stored bytes that are not what this version writes, or wrote. The text says where, and holds nothing of what stood there.
package struct UnreadableFormat: Error, Hashable, Sendable {
  package var reason: String

  package init(reason: String) { self.reason = reason }
}
