/// The part of a journal that stores entries before their session exists, in several commits, so that the commits of other sessions run in between.
package protocol EntryStaging: Sendable {
  /// Stores some of the entries of a session that does not exist yet, in a commit of their own. `place` is where the entries before them were staged;
  /// `nil` for the first. Returns the place for the next ones, and for the write that creates the session. If the process ends before that write, staged
  /// entries are erased. Called on the writer's thread.
  func stage(_ entries: StagedEntries, at place: Int?) throws(JournalError) -> Int
  /// Gives up the entries at a place, unless a write has created the session. Called on the writer's thread.
  func unstage(_ place: Int) throws(JournalError)
}

/// Some entries of a session that does not exist yet. They cannot be read before a write with their place creates the session.
package struct StagedEntries: Sendable {
  /// The canonical texts of the definitions that the entries set, by hash.
  package var definitions: [String: String]
  /// The entries in their order. They follow those that were staged before.
  package var entries: [JournalEntry]
  /// The session at some revisions of the entries, and at the last one. The journal stores these states as snapshots.
  package var stages: [SessionRecord]

  package init(_ entries: [JournalEntry], stages: [SessionRecord], definitions: [String: String] = [:]) {
    self.entries = entries
    self.stages = stages
    self.definitions = definitions
  }
}
