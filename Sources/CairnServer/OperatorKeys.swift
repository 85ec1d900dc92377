import CairnRuntime

/// The keys that open everything, each with the name of who holds it. They may be exchanged while the service runs. Any thread.
package final class OperatorKeys: Sendable {
  private let keys: Lock<[Principal]>
  private let notes = Lock<[@Sendable () -> Void]>([])

  package init(_ keys: [OperatorKey] = []) { self.keys = Lock(Self.hashed(keys)) }

  /// From now on these are the keys, and no others.
  package func replace(with new: [OperatorKey]) {
    let hashed = Self.hashed(new)
    keys.withLock { $0 = hashed }
    for note in notes.withLock({ $0 }) { note() }
  }

  /// Has `note` called each time after they were exchanged, on the thread that did it.
  func whenReplaced(_ note: @escaping @Sendable () -> Void) { notes.withLock { $0.append(note) } }

  /// Who holds them.
  package var names: [String] { keys.withLock { $0.map(\.name) } }

  package var isEmpty: Bool { keys.withLock(\.isEmpty) }

  /// The operator with this key; `nil` if there is none.
  func principal(of credentials: Credentials) -> Principal? {
    let keys = keys.withLock { $0 }
    return keys.first { credentials.match($0.keyHash) }
  }

  /// Whether the key that an operator came with is still one of them.
  func holds(_ principal: Principal) -> Bool { keys.withLock { $0.contains { $0.keyHash == principal.keyHash } } }

  private static func hashed(_ keys: [OperatorKey]) -> [Principal] {
    keys.map { Principal(role: .operator, name: $0.name, keyHash: Identity.hash($0.key)) }
  }
}
