/// A link that waits for its guard.
public struct PendingLink: Hashable, Sendable, Identifiable {
  public let id: LinkID
  public var url: String
  /// Milliseconds since 1970.
  public var until: Int

  public init(id: LinkID = LinkID(1), url: String, until: Int) {
    self.id = id
    self.url = url
    self.until = until
  }

  public static func == (one: PendingLink, other: PendingLink) -> Bool {
    one.id == other.id && one.url.isExactly(other.url) && one.until == other.until
  }
}

extension PendingLink: Codable {
  private enum CodingKeys: String, CodingKey { case id, url, until }

  /// One without an id is of the time when a session held one link.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try members.decodeIfPresent(LinkID.self, forKey: .id) ?? LinkID(1), url: try members.decode(String.self, forKey: .url),
      until: try members.decode(Int.self, forKey: .until))
  }
}
