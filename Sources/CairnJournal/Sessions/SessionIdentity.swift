/// The unchanging part of a session. All revisions of a session share it.
package final class SessionIdentity: Hashable, Sendable {
  package let id: String
  package let app: String
  /// A free-form text that the creation set; `nil` if it set none.
  package let label: String?
  /// The time of creation in milliseconds since 1970.
  package let createdAt: Int
  /// The SHA-256 of the session's secret.
  package let secretHash: [UInt8]

  package init(id: String, app: String, label: String?, createdAt: Int, secretHash: [UInt8]) {
    self.id = id
    self.app = app
    self.label = label
    self.createdAt = createdAt
    self.secretHash = secretHash
  }

  package static func == (one: SessionIdentity, other: SessionIdentity) -> Bool {
    one === other
      || one.id == other.id && one.app == other.app && one.label == other.label
        && one.createdAt == other.createdAt && one.secretHash == other.secretHash
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
