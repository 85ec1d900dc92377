/// A URL on its way in, and which link takes it.
public struct Opening: Hashable, Sendable {
  public var url: String
  /// nil: none does.
  public var link: TakenLink?

  public init(url: String, link: TakenLink? = nil) {
    self.url = url
    self.link = link
  }
}

/// A link that takes a URL.
public struct TakenLink: Hashable, Sendable {
  /// Its place in the file, from 0.
  public var index: Int
  /// The values of the URL, by name.
  public var values: [String: String]

  public init(index: Int, values: [String: String]) {
    self.index = index
    self.values = values
  }
}
