import CairnRuntime

/// The keys that open everything, each with the name of who holds it. They may be exchanged while the service runs. Any thread.
package final class OperatorKeys: Sendable {
  private let keys: Lock<[(hash: [UInt8], asker: Asker)]>

  package init(_ keys: [OperatorKey] = []) { self.keys = Lock(Self.hashed(keys)) }

  /// From now on these are the keys, and no others.
  package func replace(with new: [OperatorKey]) {
    let hashed = Self.hashed(new)
    keys.withLock { $0 = hashed }
  }

  /// Who holds them.
  package var names: [String] { keys.withLock { $0.map(\.asker.name) } }

  package var isEmpty: Bool { keys.withLock(\.isEmpty) }

  /// Whose key this is; nil: nobody's.
  func asker(of credentials: Credentials) -> Asker? {
    let keys = keys.withLock { $0 }
    return keys.first { credentials.match($0.hash) }?.asker
  }

  private static func hashed(_ keys: [OperatorKey]) -> [(hash: [UInt8], asker: Asker)] {
    keys.map { (Identity.hash($0.key), Asker(role: .operator, name: $0.name)) }
  }
}
