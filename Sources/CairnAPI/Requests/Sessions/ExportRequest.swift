package import CairnCore

/// The body of a request that exports a session.
package struct ExportRequest: Hashable, Sendable {
  /// The key with which the session's secrets are encrypted, in base64; `nil` to omit them.
  package var key: String?

  private static let key = Member<String>(
    "key", "base64 of 32 bytes", .fileKey,
    "The key with which the secrets are encrypted: 32 bytes in base64. Without it, the secrets are omitted."
  ) { $0.string }
  package static let schema = Schema.closed([key.property])

  /// Reads a body. Throws unless it is an object with valid members.
  package init(_ body: JSONElement) throws(BodyFault) {
    guard body.isObject else { throw .wrongShape("the body must be an object such as {}, not \(body.value.kindName)") }
    var members = Members(body)
    key = members.read(Self.key)
    members.rejectOthers()
    guard members.faults.isEmpty else { throw .invalid(members.faults) }
  }
}
