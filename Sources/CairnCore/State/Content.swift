/// What a load or a `content` operation wrote to a node.
public struct Content: Hashable, Sendable, Decodable {
  public var status: ContentStatus
  public var value: Value?
  public var error: String?

  public init(status: ContentStatus, value: Value? = nil, error: String? = nil) {
    self.status = status
    self.value = value
    self.error = error
  }

  public static func == (one: Content, other: Content) -> Bool {
    one.status == other.status && one.value == other.value && one.error.isExactly(other.error)
  }
}

extension Content {
  private enum CodingKeys: String, CodingKey { case status, value, error }

  /// A value that is null is a value: what is stored and read again is the same.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    status = try members.decode(ContentStatus.self, forKey: .status)
    value = members.contains(.value) ? try members.decode(Value.self, forKey: .value) : nil
    error = try members.decodeIfPresent(String.self, forKey: .error)
  }
}

public enum ContentStatus: String, Hashable, Sendable, Decodable, CaseIterable {
  case idle, loading, loaded, failed
}
