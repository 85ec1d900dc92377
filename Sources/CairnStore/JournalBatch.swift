/// The contents of one commit.
package struct JournalBatch: Sendable {
  /// The canonical texts of definitions by hash. Stored definitions are not overwritten.
  package var definitions: [String: String]
  /// At most one write per session.
  package var sessions: [SessionWrite]
  /// The sessions to delete completely: entries, state and secrets.
  package var deletions: [String]

  package var isEmpty: Bool { sessions.isEmpty && deletions.isEmpty && definitions.isEmpty }

  package init(definitions: [String: String] = [:], sessions: [SessionWrite] = [], deletions: [String] = []) {
    self.definitions = definitions
    self.sessions = sessions
    self.deletions = deletions
  }
}
