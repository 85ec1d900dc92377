/// What a journal tells of itself; 0 where it has no such thing.
package struct JournalFigures: Sendable {
  /// Bytes of the database, and of the log of writes beside it.
  package var databaseBytes = 0
  package var logBytes = 0
  /// How long the writer was held to begin the log anew, or to empty it.
  package var checkpoints = Durations()
  /// Whether something that was deleted is still in the files.
  package var isErasing = false
  /// Since when the oldest of it should be gone from them, in nanoseconds; 0: nothing is left.
  package var erasureAge: UInt64 = 0
  /// Erasures that failed and are tried again.
  package var erasureFaults = 0

  package init() {}
}
