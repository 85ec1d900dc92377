/// Stored bytes that this version cannot read. The reason contains the position but none of the data.
package struct UnreadableFormat: Error, Hashable, Sendable {
  package var reason: String

  package init(reason: String) { self.reason = reason }
}
