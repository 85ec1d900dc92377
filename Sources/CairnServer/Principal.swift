/// The authenticated caller of a request. An object, so that a request can get it without a lock.
final class Principal: Sendable {
  let role: Role
  /// The operator's name; empty for a session, which is identified by its id.
  let name: String
  /// SHA-256 of the operator's key; empty for a session.
  let keyHash: [UInt8]

  init(role: Role, name: String, keyHash: [UInt8] = []) {
    self.role = role
    self.name = name
    self.keyHash = keyHash
  }

  /// A caller with the session's secret.
  static let session = Principal(role: .session, name: "")
}
