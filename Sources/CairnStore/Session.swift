package import CairnCore

/// A session as it was after a commit: what readers see.
package struct Session: Sendable {
  package let birth: Birth
  package let definition: PinnedDefinition
  /// The time of its newest entry; of a manual clock, if it has one.
  package var updatedAt: Int
  package var state: State
  /// The newest entry's.
  package var hash: UInt64
  /// Its body as the API shows it, once somebody has asked.
  package let rendering = Rendering()
  /// Of its answers; the same at all its revisions.
  let keys = KnownKeys()

  /// About how many bytes it takes in memory.
  private(set) var weight: Int
  /// What it was when it was last weighed whole.
  private var weighed: Int

  package var id: String { birth.id }
  package var app: String { birth.app }
  /// Free text given at creation.
  package var label: String? { birth.label }
  /// Milliseconds since 1970.
  package var createdAt: Int { birth.createdAt }
  /// SHA-256 of its secret.
  package var secretHash: [UInt8] { birth.secretHash }

  /// What `ETag` says of it.
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
    weight = Self.weight(of: state)
    weighed = weight
  }

  package init(
    id: String, definition: PinnedDefinition, label: String?, createdAt: Int, updatedAt: Int, secretHash: [UInt8], state: State,
    hash: UInt64 = 0
  ) {
    let birth = Birth(
      id: id, app: definition.definition.app, definition: definition.hash, label: label, createdAt: createdAt, secretHash: secretHash)
    self.init(birth, definition: definition, updatedAt: updatedAt, state: state, hash: hash)
  }

  /// The state became another one, by a difference of so many bytes. It is weighed whole only when much was added, so that this does not
  /// take time with its size.
  mutating func grow(by difference: Int) {
    weight += 4 * difference
    guard weight > 2 * weighed else { return }
    weight = Self.weight(of: state)
    weighed = weight
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
