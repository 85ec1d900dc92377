import CairnCore
import CairnRuntime

/// The time that the store stamps with.
package protocol Clock: Sendable {
  /// Milliseconds since 1970.
  func now() -> Int
  /// Has `wake` called whenever the time was moved by hand, on any thread. A clock that runs by itself never calls it.
  func onJump(_ wake: @escaping @Sendable () -> Void)
}

extension Clock {
  package func onJump(_ wake: @escaping @Sendable () -> Void) {}
}

/// The machine's own clock, which it follows forward and never back: where that was set back, this one goes on at its own pace, so that no
/// timer waits for an hour to come again. A restart takes the machine's time as it is.
package struct SystemClock: Clock {
  /// When the machine's time was taken over last, and what it was.
  private struct Anchor {
    var monotonic: UInt64
    var time: Int
  }

  private let anchor: Lock<Anchor>
  private let wall: @Sendable () -> Int
  private let monotonic: @Sendable () -> UInt64

  /// `wall`: milliseconds since 1970, as the machine believes; `monotonic`: nanoseconds that never go back.
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
      // Another thread may have stored a later time in between.
      let passed = monotonic > anchor.monotonic ? monotonic - anchor.monotonic : 0
      let time = anchor.time.addingSaturated(Int(passed / 1_000_000))
      if wall > time { anchor = Anchor(monotonic: monotonic, time: wall) }
      return max(wall, time)
    }
  }
}
