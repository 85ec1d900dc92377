/// A link that waits for its guard.
public struct PendingLink: Hashable, Sendable, Identifiable {
  public let id: LinkID
  public var url: String
  /// Milliseconds since 1970.
  public var until: WideInt

  public init(id: LinkID = LinkID(1), url: String, until: WideInt) {
    self.id = id
    self.url = url
    self.until = until
  }

  public static func == (one: PendingLink, other: PendingLink) -> Bool {
    one.id == other.id && one.url.isExactly(other.url) && one.until == other.until
  }
}
