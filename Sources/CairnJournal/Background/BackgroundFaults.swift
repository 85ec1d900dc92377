import CairnRuntime

/// Counts the failures of background tasks. Reports each failure with a new reason, and each recovery, to the operator's log. Thread-safe.
package final class BackgroundFaults: Sendable {
  private struct Contents {
    var counts: [BackgroundTask: Int] = [:]
    /// The reasons of the current failures, by task.
    var reasons: [BackgroundTask: String] = [:]
  }

  private let contents = Lock(Contents())
  private let isExpected: @Sendable (any Error) -> Bool
  private let log: @Sendable (StoreEvent) -> Void

  /// Creates a recorder without failures. If `isExpected` returns `true` for an error, the error does not count as a failure.
  /// `JournalError.closed` never counts as a failure.
  package init(
    expecting isExpected: @escaping @Sendable (any Error) -> Bool = { _ in false }, _ log: @escaping @Sendable (StoreEvent) -> Void
  ) {
    self.isExpected = isExpected
    self.log = log
  }

  /// The number of failures since the start, by task.
  package var counts: [BackgroundTask: Int] { contents.withLock { $0.counts } }

  /// Records a failure. Logs the failure unless the task's last attempt failed for the same reason.
  package func note(_ task: BackgroundTask, _ reason: String) {
    let isNew = contents.withLock { contents in
      contents.counts[task, default: 0] += 1
      return contents.reasons.updateValue(reason, forKey: task) != reason
    }
    if isNew { log(.backgroundFailed(task, reason: reason)) }
  }

  /// Records that an attempt has succeeded. Logs the recovery if the previous attempt failed.
  package func succeeded(_ task: BackgroundTask) {
    if contents.withLock({ $0.reasons.removeValue(forKey: task) }) != nil { log(.backgroundRecovered(task)) }
  }

  /// Runs a part of a task. If it throws, records the error like `note`, and returns `nil`.
  package func attempt<Result, Failure: Error>(
    _ task: BackgroundTask, of session: String? = nil, _ work: () throws(Failure) -> Result
  ) -> Result? {
    do throws(Failure) {
      return try work()
    } catch {
      note(task, of: session, error)
      return nil
    }
  }

  /// Records the error of a task, with the session's id if there is one. Ignores `JournalError.closed`, and errors for which `isExpected` returns `true`.
  package func note(_ task: BackgroundTask, of session: String? = nil, _ error: any Error) {
    if let error = error as? JournalError, error == .closed { return }
    if isExpected(error) { return }
    note(task, session.map { "session \($0): \(error)" } ?? "\(error)")
  }

  /// Runs a round of a task, and records a success if no part of the round failed.
  package func round(_ task: BackgroundTask, _ work: () -> Void) {
    let before = counts[task]
    work()
    if counts[task] == before { succeeded(task) }
  }
}
