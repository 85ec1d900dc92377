import Foundation

/// A value that is touched under a lock alone. Foundation's, so that this room stands on nothing of one system's.
///
/// Unchecked: the compiler cannot see that `value` is touched in `withLock` alone.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  /// Runs `body` alone with the value; never take the same lock inside.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}
