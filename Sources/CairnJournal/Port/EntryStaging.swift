/// The part of a journal that stores entries before their session exists, in several commits, so that the commits of other sessions run in between.
package protocol EntryStaging: Sendable {
  /// Stores some of the entries of a session that does not exist yet, in a separate commit. `place` is the place of the entries before
  /// them; `nil` for the first entries. Returns the place for the next entries, or for the write that creates the session. If the process
  /// ends before that write, staged entries are erased. Called on the writer's thread.
  func stage(_ entries: StagedEntries, at place: Int?) throws(JournalError) -> Int
  /// Discards the entries at a place, unless a write has created the session. Called on the writer's thread.
  func unstage(_ place: Int) throws(JournalError)
}
