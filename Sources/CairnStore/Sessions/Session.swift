package import CairnCore
package import CairnJournal

/// A session at one revision, as readers see it. Immutable. A class, because copying a struct would update about twenty reference counts each time a session
/// is passed on.
package final class Session: Sendable {
  package let identity: SessionIdentity
  /// The session's definition at this revision.
  package let definition: PinnedDefinition
  /// The time of the newest entry in milliseconds since 1970. For a session with a manual clock this is the manual time.
  package let updatedAt: Int
  package let state: State
  /// The hash of the newest entry.
  package let hash: UInt64
  /// The revision with which the session's journal begins if earlier entries were forgotten; otherwise 0. Another node may have advanced it.
  package let beginning: Int
  /// The session's body in the API, encoded at the first request.
  package let rendering = Rendering()
  /// The session's body with predictions, encoded at the first request.
  package let predictedRendering = Rendering()
  /// The keys of the session's stored responses, shared by all its revisions.
  let keys: KnownKeys

  /// The approximate size in memory, in bytes.
  let weight: Int
  /// The weight in bytes at the last complete computation.
  private let weighed: Int

  package var id: String { identity.id }
  package var app: String { identity.app }
  /// A free-form text that the creation set; `nil` if it set none.
  package var label: String? { identity.label }
  /// The time of creation in milliseconds since 1970.
  package var createdAt: Int { identity.createdAt }
  /// The SHA-256 of the session's secret.
  package var secretHash: [UInt8] { identity.secretHash }

  /// The session's `ETag`.
  package var tag: RevisionTag { RevisionTag(state.revision, hash: hash) }

  /// The stamp of the next entry. The times of a session's entries never decrease, even if the machine's clock is set back.
  package func stamp(_ now: Int, _ nonce: String) -> Stamp { Stamp(time: state.manualTime ?? max(now, updatedAt), nonce: nonce) }

  /// The time of expiry in milliseconds since 1970; `nil` if the session never expires. `fallback` is the time to live in milliseconds if the definition sets
  /// none. A session with a message that has not ended never expires. The time to live begins at the last change, or at the creation if the session has a
  /// manual clock. If the definition has `offlineFor` and the clock is not manual, the session does not expire before `State.contactEnd`.
  package func expiresAt(_ fallback: Int?) -> Int? {
    guard let ttl = definition.definition.ttl ?? fallback, !state.hasMessages else { return nil }
    let (end, isBeyond) = (state.manualTime == nil ? updatedAt : createdAt).addingReportingOverflow(ttl)
    guard !isBeyond else { return nil }
    // The session must not expire while a client that is offline may still have actions to send.
    let isOffline = definition.definition.offlineFor != nil && state.manualTime == nil
    return isOffline ? max(end, state.contactEnd) : end
  }

  init(_ identity: SessionIdentity, definition: PinnedDefinition, updatedAt: Int, state: State, hash: UInt64, beginning: Int = 0) {
    self.hash = hash
    self.beginning = beginning
    self.identity = identity
    self.definition = definition
    self.updatedAt = updatedAt
    self.state = state
    keys = KnownKeys()
    weight = Self.weight(of: state)
    weighed = weight
  }

  /// The session at another revision. `difference` is the size in bytes of the state differences since `session`. The weight is only recomputed
  /// completely after large growth, so that the cost does not depend on the session's size.
  private init(
    _ session: Session, definition: PinnedDefinition, updatedAt: Int, state: State, hash: UInt64, difference: Int, beginning: Int
  ) {
    self.beginning = beginning
    identity = session.identity
    self.definition = definition
    keys = session.keys
    self.updatedAt = updatedAt
    self.state = state
    self.hash = hash
    let estimate = session.weight + 4 * difference
    if estimate > 2 * session.weighed {
      weight = Self.weight(of: state)
      weighed = weight
    } else {
      weight = estimate
      weighed = session.weighed
    }
  }

  /// Returns the session at another revision. `definition` is the definition at that revision; `nil` if it is unchanged. `difference` is
  /// the size in bytes of the state differences between the revisions.
  package func at(
    _ state: State, definition: PinnedDefinition? = nil, updatedAt: Int, hash: UInt64, difference: Int = 0
  ) -> Session {
    Session(
      self, definition: definition ?? self.definition, updatedAt: updatedAt, state: state, hash: hash, difference: difference,
      beginning: beginning)
  }

  /// The same session after the entries before a revision have been forgotten.
  func beginning(at revision: Int) -> Session {
    Session(self, definition: definition, updatedAt: updatedAt, state: state, hash: hash, difference: 0, beginning: revision)
  }

  package convenience init(
    id: String, definition: PinnedDefinition, label: String?, createdAt: Int, updatedAt: Int, secretHash: [UInt8], state: State,
    hash: UInt64 = 0
  ) {
    let identity = SessionIdentity(
      id: id, app: definition.definition.app, label: label, createdAt: createdAt, secretHash: secretHash)
    self.init(identity, definition: definition, updatedAt: updatedAt, state: state, hash: hash)
  }

  /// The estimated size of a state in bytes: its nodes with their table entries and rendered bodies, params, content, effects and facts,
  /// including the facts of flows.
  private static func weight(of state: State) -> Int {
    var nodes = 600 * state.nodes.count
    state.nodes.forEachContent { params, facts, content in
      nodes += (content?.value?.weight ?? 0)
      for values in [params, facts] { nodes += values.reduce(0) { $0 + 100 + $1.value.weight } }
    }
    let effects = state.effects.reduce(0) { sum, effect in
      if case .value(let value, _, _, _) = effect.work { sum + 500 + value.weight } else { sum + 500 }
    }
    let messages = state.endedMessages.reduce(0) { $0 + 300 + ($1.result?.weight ?? 0) }
    return 2_000 + nodes + effects + messages + state.facts.reduce(0) { $0 + 100 + $1.value.weight }
  }
}

extension Value {
  /// The approximate size in bytes of the value's heap storage.
  fileprivate var weight: Int {
    switch self {
    case .null, .bool, .integer, .number, .sealed: 0
    case .string(let text): text.utf8.count
    case .array(let elements): elements.reduce(32) { $0 + 16 + $1.weight }
    case .object(let members): members.reduce(64) { $0 + 64 + $1.key.utf8.count + $1.value.weight }
    }
  }
}
