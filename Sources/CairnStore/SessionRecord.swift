package import CairnCore

/// A session as the journal keeps it.
package struct SessionRecord: Hashable, Sendable {
  package var id: String
  package var app: String
  /// The hash of its definition.
  package var definition: String
  package var label: String?
  /// Milliseconds since 1970.
  package var createdAt: Int
  package var updatedAt: Int
  /// SHA-256 of its secret.
  package var secretHash: [UInt8]
  package var state: State

  package init(
    id: String, app: String, definition: String, label: String?, createdAt: Int, updatedAt: Int, secretHash: [UInt8], state: State
  ) {
    self.id = id
    self.app = app
    self.definition = definition
    self.label = label
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.secretHash = secretHash
    self.state = state
  }
}
