/// An operation of the engine that is measured repeatedly, with a stopwatch or a fixed number of times under an instruction counter.
struct Work: Sendable {
  /// The name on the command line, in tables and in thresholds.json.
  var name: String
  /// The number of actions per call.
  var actions = 1
  /// Whether a call is so long that the milliseconds per call are printed instead of the rate.
  var isLong = false
  /// Prepares the operation, and returns the function that is measured.
  var prepare: @Sendable () throws -> () throws -> Void
}
