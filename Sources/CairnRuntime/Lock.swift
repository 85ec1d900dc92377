#if canImport(Glibc)
  public import Glibc
#elseif canImport(Darwin)
  public import Darwin
#endif

/// A value guarded by a pthread mutex: only the thread that holds the lock can access it. Not recursive.
///
/// Unchecked, because the compiler cannot see that only the mutex's holder accesses `state`.
///
/// Public, because the compiler specializes `@inlinable` functions of a generic type in other modules only if they are public. As `package`
/// functions they would look up type metadata at each call.
///
/// `Synchronization.Mutex` is not used because the thread sanitizer reports false races for it on Linux with Swift 6.3.
public final class Lock<State>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let state: UnsafeMutablePointer<State>

  /// Creates a lock that guards `state`. No other reference to the state may exist.
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

  /// Runs `body` with exclusive access to the value, on the calling thread, and rethrows its error. `body` must not take the same lock.
  @inlinable @inline(__always)
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }
}
