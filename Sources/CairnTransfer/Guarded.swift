import Foundation

/// A value guarded by a lock. It uses Foundation's lock, because this target also builds on systems where `CairnRuntime` does not.
///
/// Unchecked: the compiler cannot see that `value` is accessed only in `withLock`.
package final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Creates a guarded value. No other reference to the value may exist.
  package init(_ value: sending Value) { self.value = value }

  /// Runs `body` with exclusive access to the value. `body` must not take the same lock.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}
