/// Some entries of a session that does not exist yet. They can be read only after a write that names their place (`SessionWrite.staged`)
/// has created the session.
package struct StagedEntries: Sendable {
  /// The canonical texts of the definitions that the entries set, by hash.
  package var definitions: [String: String]
  /// The entries in their order. They follow the entries that were staged before.
  package var entries: [JournalEntry]
  /// The session at some revisions of the entries, and at the last one. The journal stores these states as snapshots.
  package var stages: [SessionRecord]

  package init(_ entries: [JournalEntry], stages: [SessionRecord], definitions: [String: String] = [:]) {
    self.entries = entries
    self.stages = stages
    self.definitions = definitions
  }
}
