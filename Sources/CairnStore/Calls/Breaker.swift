/// A circuit breaker for one upstream. After many failures in a row, calls fail immediately instead of each waiting for a timeout. After each pause one trial
/// call may be sent. `Caller` discards the breaker after any response, even one with an error status.
struct Breaker {
  private var failures = 0
  /// The time of the next trial call in milliseconds since 1970; `nil` if all calls may be sent.
  private var trial: Int?
  private var rest = Breaker.firstRest

  /// The number of failures in a row after which calls are paused.
  static let threshold = 10
  /// The pause before the first trial in milliseconds. It doubles with each trial, up to `longestRest`.
  static let firstRest = 1_000
  /// The longest pause between two trials in milliseconds.
  static let longestRest = 30_000

  init() {}

  /// Whether calls are paused.
  var isOpen: Bool { trial != nil }

  /// Returns the milliseconds until the next trial call, or `nil` if this call may be sent. `time` is in milliseconds since 1970.
  mutating func wait(at time: Int) -> Int? {
    guard let trial else { return nil }
    guard time >= trial else { return trial - time }
    // The next trial is scheduled now, because the current trial may hang.
    rest = min(Self.longestRest, rest * 2)
    self.trial = time + rest
    return nil
  }

  /// Records a call that failed without a response, at a time in milliseconds since 1970.
  mutating func fail(at time: Int) {
    failures += 1
    if failures >= Self.threshold, trial == nil { trial = time + rest }
  }
}
