import CairnRuntime

/// The pauses between looks at a condition that nothing announces: short at first, so that what is nearly there is found at once, and longer
/// each time, so that waiting costs nothing.
private struct Pauses {
  private var milliseconds = 0.5

  mutating func next() -> Duration {
    defer { milliseconds = min(milliseconds * 1.5, 100) }
    return .microseconds(Int(milliseconds * 1_000))
  }
}

/// Blocks until something holds that can only be looked at: a counter without an event, or what another process does. Where there is an
/// event (a `Monitor`, a pipe, a file that grows, a process that ends), wait for that instead.
package func wait(
  for what: String = "the condition", file: StaticString = #fileID, line: UInt = #line, until holds: () throws -> Bool
) throws {
  let deadline = TestTimeout.deadline
  var pauses = Pauses()
  var isLast = false
  while try !holds() {
    // The last look begins behind the deadline: a thread that did not run for minutes has an old view.
    guard !isLast else { throw NeverCame(what, file: file, line: line) }
    isLast = Monotonic.now() >= deadline
    if !isLast { pass(pauses.next()) }
  }
}

/// The same in a task, which gives its thread to others between the looks.
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

/// Blocks for so long. Only for tests whose subject is time itself: that something holds after a while, or happens at a pace.
package func pass(_ duration: Duration) {
  let never = Monitor(())
  let _: Void? = never.wait(until: Monotonic.deadline(after: duration)) { _ in nil }
}
