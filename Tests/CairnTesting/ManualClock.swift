import CairnRuntime
import CairnStore

/// A clock that a test advances.
package final class ManualClock: Clock {
  private struct Contents {
    var time: Int
    var wakes: [@Sendable () -> Void] = []
  }

  private let contents: Lock<Contents>

  /// `time` is in milliseconds since 1970.
  package init(_ time: Int = 1_000_000) { contents = Lock(Contents(time: time)) }

  package func now() -> Int { contents.withLock { $0.time } }

  package func onJump(_ wake: @escaping @Sendable () -> Void) { contents.withLock { $0.wakes.append(wake) } }

  /// Advances the clock, then wakes the waiting threads.
  package func advance(by milliseconds: Int) {
    let wakes = contents.withLock { contents in
      contents.time += milliseconds
      return contents.wakes
    }
    for wake in wakes { wake() }
  }
}
