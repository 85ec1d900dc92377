import CairnJournal

/// A session that was read from a file, with the hashes that it has in this journal.
package final class ImportedSession: Sendable {
  /// The newest state.
  package let session: Session
  /// All entries, oldest first.
  let entries: [JournalEntry]
  /// The state before the first entry, if earlier entries were forgotten; otherwise `nil`.
  let beginning: PastState?
  /// The session at some earlier revisions, in their order. The journal stores these states as snapshots.
  let stages: [SessionRecord]
  let secrets: [SecretSlot: String]
  /// The definitions that the entries set.
  let definitions: [PinnedDefinition]

  init(
    _ session: Session, _ entries: [JournalEntry], beginning: PastState?, stages: [SessionRecord], secrets: [SecretSlot: String],
    definitions: [PinnedDefinition]
  ) {
    self.session = session
    self.entries = entries
    self.beginning = beginning
    self.stages = stages
    self.secrets = secrets
    self.definitions = definitions
  }
}
