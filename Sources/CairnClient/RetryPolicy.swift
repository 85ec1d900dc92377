/// How often a request is sent again where another attempt may do better: nobody answered, the connection broke, 502, 503 and 504, and 429 that says when.
///
/// It is always safe: a POST names a key by which the service runs it once, however often it comes.
public struct RetryPolicy: Sendable {
  /// Attempts in all, the first one included.
  public var attempts: Int
  /// What is waited before the second attempt; twice that before the next, and so on, each shortened by chance down to half.
  public var first: Duration
  /// The longest wait between two attempts. Who asks for more (`Retry-After`) is not waited for.
  public var longest: Duration
  /// How long one attempt may take.
  public var timeout: Duration
  /// Waits; throws when the task is cancelled. A test's own does not wait.
  package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  public init(
    attempts: Int = 5, first: Duration = .milliseconds(250), longest: Duration = .seconds(10), timeout: Duration = .seconds(30)
  ) {
    self.attempts = attempts
    self.first = first
    self.longest = longest
    self.timeout = timeout
  }

  /// Each request is sent once.
  public static let never = RetryPolicy(attempts: 1)

  /// What to wait after so many attempts; nil: no further one. `asked`: what the service says.
  func wait(after attempts: Int, asked: Duration?) -> Duration? {
    guard attempts < self.attempts, asked ?? .zero <= longest else { return nil }
    return max(asked ?? .zero, backOff(attempts))
  }

  /// Without a bound on the attempts: for streams.
  func backOff(_ attempts: Int) -> Duration {
    let full = min(longest, first * (1 << min(max(0, attempts - 1), 20)))
    return full * Double.random(in: 0.5...1)
  }
}
