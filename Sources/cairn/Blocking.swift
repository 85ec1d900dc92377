import CairnRuntime
import Dispatch

/// Runs a task while a command's own thread waits for it.
enum Blocking {
  /// Runs `work` and blocks until it is done. Not to be called by a task: it would take its thread away.
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
    // The task signals once, behind having put its result there; nothing else does, and the wait has no end of its own.
    guard let ended = result.withLock({ $0 }) else { preconditionFailure("it is there before the signal") }
    return try ended.get()
  }
}
