import CairnTesting

/// Waits until something holds, and lets other tasks run meanwhile. Four minutes are taken for never: tests that compute for a minute at a stretch hold
/// the threads that tasks have, one after the other.
func reached(_ holds: () throws -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(240)
  while try !holds() {
    guard ContinuousClock.now < deadline else { throw NeverCame() }
    await Task.yield()
  }
}
