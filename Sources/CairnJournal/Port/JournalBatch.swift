/// The contents of one commit.
package struct JournalBatch: Sendable {
  /// The canonical texts of definitions by hash. Stored definitions are not overwritten.
  package var definitions: [String: String]
  /// At most one write per session.
  package var sessions: [SessionWrite]
  /// The sessions to delete completely: entries, state and secrets.
  package var deletions: [String]

  /// The conditions under which the batch is stored; `nil` if no other node writes to the journal.
  package var checks: Checks?

  /// The conditions of the batch. They are checked in the transaction of the commit. If a condition fails for a session, none of its changes are stored, and
  /// the result contains `.conflict`.
  package struct Checks: Sendable {
    /// The versions of the sessions that the batch's requests read, including those that it writes or deletes.
    package var versions: [String: SessionVersion]
    /// The time of the batch in milliseconds since 1970. No response that is unexpired at this time may exist under a key that the batch uses.
    package var time: Int

    package init(versions: [String: SessionVersion], time: Int) {
      self.versions = versions
      self.time = time
    }
  }

  package var isEmpty: Bool { !isChange && checks?.versions.isEmpty ?? true }

  /// Whether the batch stores or deletes anything, and does not only check versions.
  package var isChange: Bool { !(sessions.isEmpty && deletions.isEmpty && definitions.isEmpty) }

  package init(definitions: [String: String] = [:], sessions: [SessionWrite] = [], deletions: [String] = [], checks: Checks? = nil) {
    self.definitions = definitions
    self.sessions = sessions
    self.deletions = deletions
    self.checks = checks
  }
}
