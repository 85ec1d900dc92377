/// A thread that alternates between work and pauses until it is stopped, and the state that it shares with other threads. Thread-safe.
/// Public for the same reason as `Lock`: each commit calls functions of this type, so their speed is important.
public final class BackgroundLoop<State: Sendable>: Sendable {
  @usableFromInline struct Contents {
    @usableFromInline var isOpen = true
    @usableFromInline var state: State
  }

  @usableFromInline let contents: Monitor<Contents>
  private let thread = Lock<NamedThread?>(nil)

  package init(_ state: State) { contents = Monitor(Contents(state: state)) }

  /// Starts the thread. `body` must return soon after `isOpen` becomes `false`.
  package func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    let started = try NamedThread(name, body)
    thread.withLock { $0 = started }
  }

  /// Ends every pause and blocks until the thread has ended. Must not be called on that thread.
  package func stop() {
    contents.change { $0.isOpen = false }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  /// `true` until `stop` is called.
  package var isOpen: Bool { contents.withLock { $0.isOpen } }

  /// Runs `body` with exclusive access to the state. Does not wake waiting threads.
  @inlinable public func withLock<Result>(_ body: (inout State) -> Result) -> Result { contents.withLock { body(&$0.state) } }

  /// Runs `body` with exclusive access to the state, then wakes every waiting thread to check its condition again.
  @inlinable public func change<Result>(_ body: (inout State) -> Result) -> Result { contents.change { body(&$0.state) } }

  /// Blocks until `take` returns a value, and returns this value. `take` is called first without waiting, then after each `change`. Returns
  /// `nil` once `deadline` (`Monotonic`) has passed, or after `stop`.
  package func wait<Result>(until deadline: UInt64? = nil, _ take: (inout State) -> Result?) -> Result? {
    let taken: Result?? = contents.wait(until: deadline) { contents in
      guard contents.isOpen else { return .some(nil) }
      return take(&contents.state).map(Optional.some)
    }
    return taken ?? nil
  }

  /// Blocks until the deadline (`Monotonic`) or until the loop is stopped. Returns `false` if the loop has been stopped.
  package func pause(until deadline: UInt64) -> Bool {
    let _: Void? = wait(until: deadline) { _ in nil }
    return isOpen
  }
}
