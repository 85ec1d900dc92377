/// The figures of a journal; 0 if it does not have them.
package struct JournalFigures: Sendable {
  /// Bytes of the database, and of the log of writes beside it.
  package var databaseBytes = 0
  package var logBytes = 0
  /// How long the writer was blocked while the log was restarted or emptied.
  package var checkpoints = Durations()
  /// Whether something that was deleted is still in the files.
  package var isErasing = false
  /// Since when the oldest of it should be gone from them, in nanoseconds; 0: nothing is left.
  package var erasureAge: UInt64 = 0
  /// Erasures that failed and are tried again.
  package var erasureFaults = 0

  package init() {}
}
