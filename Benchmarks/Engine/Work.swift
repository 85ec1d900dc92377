/// Something that the engine does again and again: for a stopwatch, or a fixed number of times under a counter.
struct Work: Sendable {
  /// The name on the command line, in tables and in thresholds.json.
  var name: String
  /// Actions in one call.
  var actions = 1
  /// Whether a call is so long that its milliseconds say more than its rate.
  var isLong = false
  /// Prepares it, and gives what is called.
  var prepare: @Sendable () throws -> () throws -> Void
}
