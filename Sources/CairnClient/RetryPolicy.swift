/// How often a request is repeated after a failure that can pass: no response, a broken connection, 502, 503 and 504, and 429 with
/// `Retry-After`.
///
/// It is always safe: a POST names a key by which the service runs it once, however often it comes.
public struct RetryPolicy: Sendable {
  /// Attempts in all, the first one included.
  public var attempts: Int
  /// The wait before the second attempt. It doubles before each further attempt; a random factor shortens each wait by up to half.
  public var first: Duration
  /// The longest wait between two attempts. A response with a longer `Retry-After` is not retried.
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

  /// The wait after this number of attempts; `nil` if there is no further one. `asked`: the response's `Retry-After`.
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
