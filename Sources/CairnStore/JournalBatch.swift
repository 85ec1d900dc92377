/// The contents of one commit.
package struct JournalBatch: Sendable {
  /// Canonical texts by hash; an existing one is kept.
  package var definitions: [String: String]
  /// At most one a session.
  package var sessions: [SessionWrite]
  /// Sessions of which nothing may be left: entries, state, secrets.
  package var deletions: [String]

  package var isEmpty: Bool { sessions.isEmpty && deletions.isEmpty && definitions.isEmpty }

  package init(definitions: [String: String] = [:], sessions: [SessionWrite] = [], deletions: [String] = []) {
    self.definitions = definitions
    self.sessions = sessions
    self.deletions = deletions
  }
}
