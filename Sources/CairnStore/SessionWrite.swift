/// The new entries of a session, and its state after the last of them; or no entry, and only responses to keep.
package struct SessionWrite: Sendable {
  package var record: SessionRecord
  /// The revision that the journal must have, else `.conflict`; 0: the session must be new.
  package var after: Int
  package var entries: [JournalEntry]
  package var secrets: [SecretSlot: SecretChange]
  /// Oldest first.
  package var answers: [KeyedAnswer]

  package init(
    _ record: SessionRecord, after: Int, entries: [JournalEntry], secrets: [SecretSlot: SecretChange] = [:], answers: [KeyedAnswer] = []
  ) {
    self.record = record
    self.after = after
    self.entries = entries
    self.secrets = secrets
    self.answers = answers
  }
}
