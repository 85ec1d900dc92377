/// The error for stored bytes that this version cannot read. The reason contains the position, and none of the data.
public struct UnreadableFormat: Error, Hashable, Sendable {
  public var reason: String

  public init(reason: String) { self.reason = reason }
}
