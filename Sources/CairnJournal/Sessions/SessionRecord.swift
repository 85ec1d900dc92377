package import CairnCore

/// A session as stored in the journal. Immutable, so that a batch can share it without copying the state.
package final class SessionRecord: Sendable {
  package let identity: SessionIdentity
  /// The hash of the session's definition at this revision.
  package let definition: String
  /// The time of the newest entry in milliseconds since 1970.
  package let updatedAt: Int
  package let state: State
  /// The hash of the newest entry.
  package let hash: UInt64
  /// The revision with which the session's journal begins if earlier entries were forgotten; otherwise 0.
  package let beginning: Int

  package var id: String { identity.id }
  package var app: String { identity.app }
  package var label: String? { identity.label }
  package var createdAt: Int { identity.createdAt }
  /// The SHA-256 of the session's secret.
  package var secretHash: [UInt8] { identity.secretHash }

  package init(_ identity: SessionIdentity, definition: String, updatedAt: Int, state: State, hash: UInt64, beginning: Int = 0) {
    self.identity = identity
    self.definition = definition
    self.updatedAt = updatedAt
    self.state = state
    self.hash = hash
    self.beginning = beginning
  }

  package convenience init(
    id: String, app: String, definition: String, label: String?, createdAt: Int, updatedAt: Int, secretHash: [UInt8], state: State,
    hash: UInt64 = 0, beginning: Int = 0
  ) {
    let identity = SessionIdentity(id: id, app: app, label: label, createdAt: createdAt, secretHash: secretHash)
    self.init(identity, definition: definition, updatedAt: updatedAt, state: state, hash: hash, beginning: beginning)
  }

  /// The same record after the entries before a revision have been forgotten.
  package func beginning(at revision: Int) -> SessionRecord {
    SessionRecord(identity, definition: definition, updatedAt: updatedAt, state: state, hash: hash, beginning: revision)
  }

  /// The same record with another state.
  package func with(state: State) -> SessionRecord {
    SessionRecord(identity, definition: definition, updatedAt: updatedAt, state: state, hash: hash, beginning: beginning)
  }
}

extension SessionRecord: Hashable {
  package static func == (one: SessionRecord, other: SessionRecord) -> Bool {
    one.identity == other.identity && one.definition == other.definition && one.updatedAt == other.updatedAt && one.state == other.state
      && one.hash == other.hash && one.beginning == other.beginning
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
    hasher.combine(hash)
  }
}
