import CairnRuntime

/// The pauses between checks of a condition without an event. They are short at first, to detect a fast change at once, and grow, to save processor time.
private struct Pauses {
  private var milliseconds = 0.5

  mutating func next() -> Duration {
    defer { milliseconds = min(milliseconds * 1.5, 100) }
    return .microseconds(Int(milliseconds * 1_000))
  }
}

/// Blocks until a condition holds that can only be polled, such as a counter without an event or the work of another process. If an event
/// exists (a `Monitor`, a pipe, a growing file, the end of a process), wait for that event instead.
package func wait(
  for what: String = "the condition", file: StaticString = #fileID, line: UInt = #line, until holds: () throws -> Bool
) throws {
  let deadline = TestTimeout.deadline
  var pauses = Pauses()
  var isLast = false
  while try !holds() {
    // The last check begins after the deadline, because the previous result of a suspended thread may be minutes old.
    guard !isLast else { throw NeverCame(what, file: file, line: line) }
    isLast = Monotonic.now() >= deadline
    if !isLast { pass(pauses.next()) }
  }
}

/// Waits in a task, whose thread is free between the checks.
package func waitInTask(
  for what: String, file: StaticString = #fileID, line: UInt = #line, isolation: isolated (any Actor)? = #isolation,
  until holds: () async throws -> Bool
) async throws {
  let deadline = TestTimeout.deadline
  var pauses = Pauses()
  var isLast = false
  while try await !holds() {
    guard !isLast else { throw NeverCame(what, file: file, line: line) }
    isLast = Monotonic.now() >= deadline
    if !isLast { try await Task.sleep(for: pauses.next()) }
  }
}

/// Blocks for a duration. Only for tests about time, such as that a condition still holds later or that something has a certain rate.
package func pass(_ duration: Duration) {
  let never = Monitor(())
  let _: Void? = never.wait(until: Monotonic.deadline(after: duration)) { _ in nil }
}
