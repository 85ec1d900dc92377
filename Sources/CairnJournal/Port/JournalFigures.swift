/// Statistics of a journal. A statistic that the backend does not measure is 0.
package struct JournalFigures: Sendable {
  /// The size of the database and of its write-ahead log in bytes.
  package var databaseBytes = 0
  package var logBytes = 0
  /// The durations for which the writer was blocked because the log was restarted or emptied.
  package var checkpoints = Durations()
  /// Whether deleted data is still in the files.
  package var isErasing = false
  /// The nanoseconds since the oldest deletion whose data is still in the files; 0 if the files contain no deleted data.
  package var erasureAge: UInt64 = 0
  /// The reason why deleted data is still in the files.
  package var erasureHindrance = ErasureHindrance.none
  /// The number of erasures that failed and are retried.
  package var erasureFaults = 0
  /// The number of open connections to the database, and of all connections opened since the start.
  package var connections = 0
  package var connects = 0
  /// The durations from other nodes' commits until this node read them. Only measured while this node has subscribers.
  package var changeDelays = Durations()
  /// The delay of the most overdue effect of any node, in milliseconds. At most one node measures it; the others report 0.
  package var oldestEffectAge = 0

  /// The numbers of failures since the start, by background task.
  package var backgroundFaults: [BackgroundTask: Int] = [:]
  /// The number of times that the database was found to be in an older state, and the number of repeated erasures.
  package var losses = 0
  package var repeatedErasures = 0
  /// Whether this node receives signals of other nodes' commits; `nil` if the journal uses no signals.
  package var isListening: Bool?

  package init() {}
}
