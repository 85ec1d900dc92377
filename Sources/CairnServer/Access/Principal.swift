/// The authenticated caller of a request. A class, so that a request can store the reference atomically without a lock.
final class Principal: Sendable {
  let role: Role
  /// The operator's name. Empty for a session, which is identified by its id.
  let name: String
  /// SHA-256 of the operator's key; empty for a session.
  let keyHash: [UInt8]

  init(role: Role, name: String, keyHash: [UInt8] = []) {
    self.role = role
    self.name = name
    self.keyHash = keyHash
  }

  /// The caller with a session's secret.
  static let session = Principal(role: .session, name: "")
}
