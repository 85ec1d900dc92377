import CairnRuntime

/// The operators' keys, each with the operator's name. They can be replaced while the service runs. Thread-safe.
package final class OperatorKeys: Sendable {
  private let keys: Lock<[Principal]>
  private let notes = Lock<[@Sendable () -> Void]>([])

  package init(_ keys: [OperatorKey] = []) { self.keys = Lock(Self.hashed(keys)) }

  /// Replaces all keys.
  package func replace(with new: [OperatorKey]) {
    let hashed = Self.hashed(new)
    keys.withLock { $0 = hashed }
    for note in notes.withLock({ $0 }) { note() }
  }

  /// Registers a function that is called after each replacement, on the thread that replaces the keys.
  func whenReplaced(_ note: @escaping @Sendable () -> Void) { notes.withLock { $0.append(note) } }

  /// The operators' names.
  package var names: [String] { keys.withLock { $0.map(\.name) } }

  package var isEmpty: Bool { keys.withLock(\.isEmpty) }

  /// Returns the operator whose key matches the credentials; `nil` if no key matches.
  func principal(of credentials: Credentials) -> Principal? {
    let keys = keys.withLock { $0 }
    return keys.first { credentials.match($0.keyHash) }
  }

  /// Whether the operator's key is still one of the keys.
  func holds(_ principal: Principal) -> Bool { keys.withLock { $0.contains { $0.keyHash == principal.keyHash } } }

  /// Returns the operator whose key has this hash; `nil` if no key has it.
  func principal(withKeyHash hash: [UInt8]) -> Principal? { keys.withLock { $0.first { $0.keyHash == hash } } }

  private static func hashed(_ keys: [OperatorKey]) -> [Principal] {
    keys.map { Principal(role: .operator, name: $0.name, keyHash: Identity.hash($0.key)) }
  }
}
