/// A URL to be opened, and the link that matches it.
public struct Opening: Hashable, Sendable {
  public var url: String
  /// The link; `nil` if no link matches.
  public var link: TakenLink?

  public init(url: String, link: TakenLink? = nil) {
    self.url = url
    self.link = link
  }
}

/// A link that matches a URL.
public struct TakenLink: Hashable, Sendable {
  /// The index of the link in the definition, from 0.
  public var index: Int
  /// The captured values by name.
  public var values: [String: String]

  public init(index: Int, values: [String: String]) {
    self.index = index
    self.values = values
  }
}
