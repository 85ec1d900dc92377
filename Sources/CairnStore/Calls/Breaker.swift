/// Rests the calls to an upstream that failed many times in a row: they fail at once instead of waiting for a timeout each. After each rest one
/// call may try; a response of whatever status ends it.
struct Breaker {
  private var failures = 0
  /// Milliseconds since 1970 at which a call may try; `nil`: all may leave.
  private var trial: Int?
  private var rest = Breaker.firstRest

  /// Failures in a row after which calls rest.
  static let threshold = 10
  /// Milliseconds before the first trial; twice as long before each further one.
  static let firstRest = 1_000
  /// Milliseconds between two trials at most.
  static let longestRest = 30_000

  init() {}

  /// Whether calls rest.
  var isOpen: Bool { trial != nil }

  /// Milliseconds until a call may leave; `nil`: this one may.
  mutating func wait(at time: Int) -> Int? {
    guard let trial else { return nil }
    guard time >= trial else { return trial - time }
    // The next trial does not depend on the end of this one, which may hang.
    rest = min(Self.longestRest, rest * 2)
    self.trial = time + rest
    return nil
  }

  /// A call failed without a response.
  mutating func fail(at time: Int) {
    failures += 1
    if failures >= Self.threshold, trial == nil { trial = time + rest }
  }
}
