/// A link that waits for its guard, one a session.
public struct PendingLink: Hashable, Sendable, Codable {
  public var url: String
  /// Milliseconds since 1970.
  public var until: Int

  public init(url: String, until: Int) {
    self.url = url
    self.until = until
  }

  public static func == (one: PendingLink, other: PendingLink) -> Bool { one.url.isExactly(other.url) && one.until == other.until }
}
