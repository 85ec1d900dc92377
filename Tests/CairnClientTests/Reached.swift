import CairnTesting

/// Waits for a condition without an event. Other tasks can run in between.
func reached(file: StaticString = #fileID, line: UInt = #line, _ holds: () throws -> Bool) async throws {
  try await waitInTask(for: "the condition", file: file, line: line, until: holds)
}
