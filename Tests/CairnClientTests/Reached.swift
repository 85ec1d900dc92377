import CairnTesting

/// Waits until a condition holds for which no event exists. Other tasks can run between the checks.
func reached(file: StaticString = #fileID, line: UInt = #line, _ holds: () throws -> Bool) async throws {
  try await waitInTask(for: "the condition", file: file, line: line, until: holds)
}
