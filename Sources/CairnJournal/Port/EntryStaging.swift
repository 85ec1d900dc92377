/// The part of a journal that stores the entries of a session in several commits before the session exists. Commits of other sessions can run between them.
package protocol EntryStaging: Sendable {
  /// Stores some of the entries of a session that does not exist yet, in a separate commit. `place` is the result of the call that staged the previous
  /// entries; `nil` for the first entries. Returns the place to pass for the next entries, or to the write that creates the session. If the process ends
  /// before that write, staged entries are erased. Must be called on the writer's thread.
  func stage(_ entries: StagedEntries, at place: Int?) throws(JournalError) -> Int
  /// Discards the entries at a place, unless a write has created the session. Must be called on the writer's thread.
  func unstage(_ place: Int) throws(JournalError)
}
