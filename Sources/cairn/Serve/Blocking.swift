import CairnRuntime
import Dispatch

/// Runs an asynchronous task while the thread of a command waits for it.
enum Blocking {
  /// Runs `work`, blocks until it has finished, and returns its result. Must not be called in a task, because it would block a thread of
  /// the task pool.
  static func run<Answer: Sendable, Failure>(_ work: @escaping @Sendable () async throws(Failure) -> Answer) throws(Failure) -> Answer {
    let isDone = DispatchSemaphore(value: 0)
    let result = Lock<Result<Answer, Failure>?>(nil)
    Task.detached {
      let ended: Result<Answer, Failure>
      do throws(Failure) { ended = .success(try await work()) } catch { ended = .failure(error) }
      result.withLock { $0 = ended }
      isDone.signal()
    }
    isDone.wait()
    // The task stores its result before it signals, so the result exists here.
    guard let ended = result.withLock({ $0 }) else { preconditionFailure("the result must be set before the signal") }
    return try ended.get()
  }
}
