import CairnTesting
import Testing

/// Waits until something holds, and lets other tasks run meanwhile. Four minutes are taken for never: tests that compute for a minute at a stretch hold
/// the threads that tasks have, one after the other.
func reached(_ location: SourceLocation = #_sourceLocation, _ holds: () throws -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(240)
  while try !holds() {
    guard ContinuousClock.now < deadline else {
      Issue.record("it never came", sourceLocation: location)
      throw NeverCame()
    }
    await Task.yield()
  }
}
