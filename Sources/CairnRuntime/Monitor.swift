#if canImport(Glibc)
  public import Glibc
#elseif canImport(Darwin)
  public import Darwin
#endif

/// A value guarded by a mutex, with a condition variable on which threads wait for changes of the value. Deadlines use the monotonic clock.
///
/// Unchecked, because the compiler cannot see that only the mutex's holder accesses `state`. Public for the same reason as `Lock`.
public final class Monitor<State>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let condition: UnsafeMutablePointer<pthread_cond_t>
  @usableFromInline let state: UnsafeMutablePointer<State>

  /// Creates a monitor that guards `state`. No other reference to the state may exist.
  @inlinable public init(_ state: sending State) {
    self.state = .allocate(capacity: 1)
    self.state.initialize(to: state)
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    precondition(pthread_mutex_init(mutex, nil) == 0, "pthread_mutex_init refused the default attributes")
    precondition(pthread_cond_init(condition, &attributes) == 0, "pthread_cond_init refused the monotonic clock")
    pthread_condattr_destroy(&attributes)
  }

  @inlinable deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Runs `body` with exclusive access to the value. Does not wake waiting threads: call `wake` afterwards if their condition may be true.
  @inlinable public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }

  /// Runs `body` with exclusive access to the value, then wakes all waiting threads to check their condition again. The threads are woken
  /// after the unlock, because they would otherwise block on the mutex.
  @inlinable public func change<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_mutex_unlock(mutex)
      pthread_cond_broadcast(condition)
    }
    return try body(&state.pointee)
  }

  /// Wakes all waiting threads to check their condition again, after `withLock` has changed the value.
  @inlinable public func wake() { pthread_cond_broadcast(condition) }

  /// Blocks until `take` returns a value, and returns this value. `take` is called first without waiting, then after each `change`. Returns
  /// `nil` once `deadline` (`Monotonic`) has passed.
  @inlinable public func wait<Result>(until deadline: UInt64? = nil, _ take: (inout State) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = take(&state.pointee) { return result }
      guard let deadline else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
      if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { return take(&state.pointee) }
    }
  }
}
