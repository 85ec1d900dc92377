/// A link that is held until its guard is true or it expires.
public struct PendingLink: Hashable, Sendable, Identifiable {
  public internal(set) var id: LinkID
  public var url: String
  /// The time at which the link expires, in milliseconds since 1970.
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
