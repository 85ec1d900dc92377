public import Glibc

/// A value guarded by a pthread mutex: whoever wants the value must hold the lock. Not recursive.
///
/// Unchecked, because the compiler cannot see that `state` is touched under the mutex alone.
///
/// Public, because the compiler specialises `@inlinable` functions of a generic type for other modules only if they are public: as `package` they
/// look up metadata with every call.
/// (A pthread lock, since `Synchronization.Mutex` draws false reports from the thread sanitizer on Linux with Swift 6.3.)
public final class Lock<State>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let state: UnsafeMutablePointer<State>

  /// Guards `state`, which nobody else may keep a reference to.
  @inlinable public init(_ state: sending State) {
    self.state = .allocate(capacity: 1)
    self.state.initialize(to: state)
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    precondition(pthread_mutex_init(mutex, nil) == 0, "pthread_mutex_init refused the default attributes")
  }

  @inlinable deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Runs `body` alone with the value, on the calling thread; throws what `body` throws. Never take the same lock inside.
  @inlinable @inline(__always)
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }
}
