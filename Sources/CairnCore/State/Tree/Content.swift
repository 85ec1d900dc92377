/// The content of a node: its initial value, or the value that a load or a `content` operation wrote, and the status of its load.
public struct Content: Hashable, Sendable {
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

public enum ContentStatus: String, Hashable, Sendable, CaseIterable {
  case idle, loading, loaded, failed
}
