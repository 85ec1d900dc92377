/// Statistics of a journal; 0 for those that a backend does not have.
package struct JournalFigures: Sendable {
  /// The size of the database and of its write-ahead log in bytes.
  package var databaseBytes = 0
  package var logBytes = 0
  /// The durations for which the writer was blocked because the log was restarted or emptied.
  package var checkpoints = Durations()
  /// Whether deleted data is still in the files.
  package var isErasing = false
  /// The nanoseconds since the oldest deletion whose data is still in the files; 0 if there is none.
  package var erasureAge: UInt64 = 0
  /// The number of erasures that failed and are retried.
  package var erasureFaults = 0

  package init() {}
}
