import CairnTesting

/// Waits until something holds, and lets other tasks run meanwhile; half a minute is taken for never.
func reached(_ holds: () throws -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(30)
  while try !holds() {
    guard ContinuousClock.now < deadline else { throw NeverCame() }
    await Task.yield()
  }
}
