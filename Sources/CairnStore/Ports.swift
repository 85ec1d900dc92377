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

/// The machine's own clock.
package struct SystemClock: Clock {
  package init() {}

  package func now() -> Int { Int(WallClock.now()) }
}
