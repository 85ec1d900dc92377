public import Glibc

/// A value guarded by a pthread mutex: only the thread that holds the lock can access it. Not recursive.
///
/// Unchecked, because the compiler cannot see that only the mutex's holder touches `state`.
///
/// Public, because the compiler specialises `@inlinable` functions of a generic type for other modules only if they are public: as `package` they
/// look up metadata with every call.
/// (A pthread lock, since `Synchronization.Mutex` draws false reports from the thread sanitizer on Linux with Swift 6.3.)
public final class Lock<State>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let state: UnsafeMutablePointer<State>

  /// Guards `state`; no other reference to it may exist.
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

  /// Runs `body` with exclusive access to the value, on the calling thread; throws what `body` throws. Never take the same lock inside.
  @inlinable @inline(__always)
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }
}
