public struct Login: Hashable, Sendable {
  public var status: Status
  /// The reason why the last login failed; `nil` if it did not fail.
  public var reason: String?

  public enum Status: String, Hashable, Sendable {
    case loggedOut, requesting, failed, loggedIn
  }

  public init(status: Status, reason: String? = nil) {
    self.status = status
    self.reason = reason
  }

  public static func == (one: Login, other: Login) -> Bool { one.status == other.status && one.reason.isExactly(other.reason) }
}
