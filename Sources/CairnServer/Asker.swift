/// Who a request comes from, once that is sure. An object, so that a request can be told of it without a lock.
final class Asker: Sendable {
  let role: Role
  /// The operator's; empty for a session, which is named by its id.
  let name: String

  init(role: Role, name: String) {
    self.role = role
    self.name = name
  }

  /// Whoever holds the session's secret.
  static let session = Asker(role: .session, name: "")
}
