import CairnCore
import CairnRuntime

/// The clock that the store uses for timestamps.
package protocol Clock: Sendable {
  /// The current time in milliseconds since 1970.
  func now() -> Int
  /// Registers a function that is called, on any thread, when the time is set manually. Clocks that cannot be set never call it.
  func onJump(_ wake: @escaping @Sendable () -> Void)
}

extension Clock {
  package func onJump(_ wake: @escaping @Sendable () -> Void) {}
}

/// A clock that follows the machine's clock, but never goes backwards. If the machine's clock is set back, this clock continues at its own
/// pace, so that timers are not delayed. After a restart it follows the machine's time again.
package struct SystemClock: Clock {
  /// The last time read from the machine's clock, in milliseconds since 1970, and the monotonic time of that read in nanoseconds.
  private struct Anchor {
    var monotonic: UInt64
    var time: Int
  }

  private let anchor: Lock<Anchor>
  private let wall: @Sendable () -> Int
  private let monotonic: @Sendable () -> UInt64

  /// Creates a clock. `wall` returns the machine's time in milliseconds since 1970; `monotonic` returns nanoseconds that never decrease.
  init(wall: @escaping @Sendable () -> Int, monotonic: @escaping @Sendable () -> UInt64) {
    self.wall = wall
    self.monotonic = monotonic
    anchor = Lock(Anchor(monotonic: monotonic(), time: wall()))
  }

  package init() {
    self.init(wall: { Int(WallClock.now()) }, monotonic: { Monotonic.now() })
  }

  package func now() -> Int {
    let (wall, monotonic) = (wall(), monotonic())
    return anchor.withLock { anchor in
      // Another thread may have stored a later reference time.
      let passed = monotonic > anchor.monotonic ? monotonic - anchor.monotonic : 0
      let time = anchor.time.addingSaturated(Int(passed / 1_000_000))
      if wall > time { anchor = Anchor(monotonic: monotonic, time: wall) }
      return max(wall, time)
    }
  }
}
