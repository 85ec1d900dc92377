package import CairnCore

/// A session at one revision: what readers see. Immutable. An object, because it goes through many hands, and a copy of a struct would
/// count some twenty references.
package final class Session: Sendable {
  package let birth: Birth
  package let definition: PinnedDefinition
  /// The time of its newest entry; of a manual clock, if it has one.
  package let updatedAt: Int
  package let state: State
  /// The newest entry's.
  package let hash: UInt64
  /// Its body as the API shows it, made at the first request.
  package let rendering = Rendering()
  /// Of its answers; the same at all its revisions.
  let keys: KnownKeys

  /// About how many bytes it takes in memory.
  let weight: Int
  /// The weight when it was last weighed as a whole.
  private let weighed: Int

  package var id: String { birth.id }
  package var app: String { birth.app }
  /// Free text given at creation.
  package var label: String? { birth.label }
  /// Milliseconds since 1970.
  package var createdAt: Int { birth.createdAt }
  /// SHA-256 of its secret.
  package var secretHash: [UInt8] { birth.secretHash }

  /// Its `ETag`.
  package var tag: RevisionTag { RevisionTag(state.revision, hash: hash) }

  /// When it ends by itself, milliseconds since 1970; nil: never. `fallback`: milliseconds, of sessions whose definition does not say.
  /// It counts from its last change; a manual clock does not tell when that was, so of such a session from its creation.
  package func expiresAt(_ fallback: Int?) -> Int? {
    guard let ttl = definition.definition.ttl ?? fallback else { return nil }
    let (end, isBeyond) = (state.manualTime == nil ? updatedAt : createdAt).addingReportingOverflow(ttl)
    return isBeyond ? nil : end
  }

  init(_ birth: Birth, definition: PinnedDefinition, updatedAt: Int, state: State, hash: UInt64) {
    self.hash = hash
    self.birth = birth
    self.definition = definition
    self.updatedAt = updatedAt
    self.state = state
    keys = KnownKeys()
    weight = Self.weight(of: state)
    weighed = weight
  }

  /// The same session at another revision. `difference`: how many bytes of the journal lead to it from `session`. It is weighed whole only
  /// if much was added, so that the time does not grow with its size.
  private init(_ session: Session, updatedAt: Int, state: State, hash: UInt64, difference: Int) {
    birth = session.birth
    definition = session.definition
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

  /// The session at another revision. `difference`: the bytes of the journal from this revision to that one.
  package func at(_ state: State, updatedAt: Int, hash: UInt64, difference: Int = 0) -> Session {
    Session(self, updatedAt: updatedAt, state: state, hash: hash, difference: difference)
  }

  package convenience init(
    id: String, definition: PinnedDefinition, label: String?, createdAt: Int, updatedAt: Int, secretHash: [UInt8], state: State,
    hash: UInt64 = 0
  ) {
    let birth = Birth(
      id: id, app: definition.definition.app, definition: definition.hash, label: label, createdAt: createdAt, secretHash: secretHash)
    self.init(birth, definition: definition, updatedAt: updatedAt, state: state, hash: hash)
  }

  /// An estimate: a node with its place in the table and its part of the rendered body, and what hangs on it.
  private static func weight(of state: State) -> Int {
    var nodes = 600 * state.nodes.count
    state.nodes.forEachContent { params, content in
      nodes += (content?.value?.weight ?? 0) + params.reduce(0) { $0 + 100 + $1.value.weight }
    }
    let effects = state.effects.reduce(0) { sum, effect in
      if case .value(let value, _, _, _) = effect.work { sum + 500 + value.weight } else { sum + 500 }
    }
    return 2_000 + nodes + effects + state.facts.reduce(0) { $0 + 100 + $1.value.weight }
  }
}

extension Value {
  /// About how many bytes it takes beside itself.
  fileprivate var weight: Int {
    switch self {
    case .null, .bool, .integer, .number: 0
    case .string(let text): text.utf8.count
    case .array(let elements): elements.reduce(32) { $0 + 16 + $1.weight }
    case .object(let members): members.reduce(64) { $0 + 64 + $1.key.utf8.count + $1.value.weight }
    }
  }
}
