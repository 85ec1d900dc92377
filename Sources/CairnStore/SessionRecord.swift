package import CairnCore

/// A session as stored in the journal. Immutable, so that a batch can share it without copying the state.
package final class SessionRecord: Sendable {
  package let birth: Birth
  /// The hash of the session's definition at this revision.
  package let definition: String
  /// The time of the newest entry in milliseconds since 1970.
  package let updatedAt: Int
  package let state: State
  /// The hash of the newest entry.
  package let hash: UInt64
  /// The revision with which the session's journal begins if earlier entries were forgotten; otherwise 0.
  package let beginning: Int

  package var id: String { birth.id }
  package var app: String { birth.app }
  package var label: String? { birth.label }
  package var createdAt: Int { birth.createdAt }
  /// The SHA-256 of the session's secret.
  package var secretHash: [UInt8] { birth.secretHash }

  package init(_ birth: Birth, definition: String, updatedAt: Int, state: State, hash: UInt64, beginning: Int = 0) {
    self.birth = birth
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
    let birth = Birth(id: id, app: app, label: label, createdAt: createdAt, secretHash: secretHash)
    self.init(birth, definition: definition, updatedAt: updatedAt, state: state, hash: hash, beginning: beginning)
  }

  /// The same record after the entries before a revision were forgotten.
  package func beginning(at revision: Int) -> SessionRecord {
    SessionRecord(birth, definition: definition, updatedAt: updatedAt, state: state, hash: hash, beginning: revision)
  }

  /// The same record with another state.
  package func with(state: State) -> SessionRecord {
    SessionRecord(birth, definition: definition, updatedAt: updatedAt, state: state, hash: hash, beginning: beginning)
  }
}

extension SessionRecord: Hashable {
  package static func == (one: SessionRecord, other: SessionRecord) -> Bool {
    one.birth == other.birth && one.definition == other.definition && one.updatedAt == other.updatedAt && one.state == other.state
      && one.hash == other.hash && one.beginning == other.beginning
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(birth)
    hasher.combine(hash)
  }
}
