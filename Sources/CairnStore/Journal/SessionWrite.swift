/// The new entries of a session and its resulting state; or no entries and only responses to store.
package struct SessionWrite: Sendable {
  package var record: SessionRecord
  /// The revision that the journal must have; otherwise the write fails with `.conflict`. 0 for a new session.
  package var after: Int
  package var entries: [JournalEntry]
  package var secrets: [SecretSlot: SecretChange]
  /// The responses to store, oldest first.
  package var answers: [KeyedAnswer]
  /// The numbers of the effects that the entries began, and of those that they ended. Only set if nodes share the journal.
  package var begun: [Int] = []
  package var ended: [Int] = []
  /// The session at some revisions of the entries before the last one, in their order. The journal stores these states as snapshots, so that each state
  /// is near one however many entries there are.
  package var stages: [SessionRecord] = []
  /// The state with which the session's journal begins from now on; `nil` to leave its beginning as it is. From the commit on nothing before it can be
  /// read: entries up to and including its revision, and responses that were stored up to it. They are erased soon. Ignored unless the revision is above
  /// that of the present beginning; at most the revision of `record`. A new session may have a beginning and no entries.
  package var beginning: PastState?

  /// The place at which the entries of a new session before `entries` are staged; `nil` if there are none.
  package var staged: Int?

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
