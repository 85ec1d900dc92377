/// The new entries of a session with the resulting state. A write without entries only stores responses or a new beginning.
package struct SessionWrite: Sendable {
  package var record: SessionRecord
  /// The session's revision in the journal before the write; 0 for a new session. If it differs, the write fails with `.conflict`.
  package var after: Int
  package var entries: [JournalEntry]
  package var secrets: [SecretSlot: SecretChange]
  /// The responses to store, oldest first.
  package var answers: [KeyedAnswer]
  /// The ids of the effects that the entries started, and of those that they ended. Only set if nodes share the journal.
  package var begun: [Int] = []
  package var ended: [Int] = []
  /// The session at some revisions of the new entries before the last one, in ascending order. The journal stores these states as snapshots, which bounds the
  /// number of entries between a state and the nearest snapshot.
  package var stages: [SessionRecord] = []
  /// The new beginning of the session's journal; `nil` if it does not change. After the commit, nothing before the beginning can be read:
  /// neither entries up to and including its revision, nor responses that were stored up to that revision. They are erased soon afterwards.
  ///
  /// A beginning is ignored unless its revision is above that of the current beginning. Its revision is at most that of `record`. A new
  /// session may have a beginning and no entries.
  package var beginning: PastState?

  /// The place at which the entries of a new session before `entries` are staged; `nil` if no entries are staged.
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
