/// The number and the timing of retries after a failure that may be temporary: no response, a lost connection, status 502, 503 or 504, or
/// 429 with `Retry-After`. Repeating is safe: a POST that changes a session has an idempotency key or numbered actions, so the service
/// performs it once, or a repetition has no further effect.
public struct RetryPolicy: Sendable {
  /// The maximum number of attempts, including the first.
  public var attempts: Int
  /// The wait before the second attempt. It doubles before each further attempt; a random factor shortens each wait by up to half.
  public var first: Duration
  /// Maximum wait between two attempts. A response with a longer `Retry-After` is not retried.
  public var longest: Duration
  /// The timeout of one attempt.
  public var timeout: Duration
  /// Waits, and throws if the task is cancelled. Tests replace it with a function that does not wait.
  package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  public init(
    attempts: Int = 5, first: Duration = .milliseconds(250), longest: Duration = .seconds(10), timeout: Duration = .seconds(30)
  ) {
    self.attempts = attempts
    self.first = first
    self.longest = longest
    self.timeout = timeout
  }

  /// A policy that sends each request only once.
  public static let never = RetryPolicy(attempts: 1)

  /// Returns the wait after this number of attempts; `nil` if there is no further attempt. `asked` is the `Retry-After` of the response.
  func wait(after attempts: Int, asked: Duration?) -> Duration? {
    guard attempts < self.attempts, asked ?? .zero <= longest else { return nil }
    return max(asked ?? .zero, backOff(attempts))
  }

  /// Returns the back-off after this number of failures, even if the number exceeds the maximum number of attempts.
  func backOff(_ attempts: Int) -> Duration {
    let full = min(longest, first * (1 << min(max(0, attempts - 1), 20)))
    return full * Double.random(in: 0.5...1)
  }
}
