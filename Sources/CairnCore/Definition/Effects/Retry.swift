/// The retries of a request after a transient failure: no connection, 408, 429, 502, 503 or 504.
public struct Retry: Hashable, Sendable {
  /// The number of attempts after the first one.
  public var count: Int
  /// The pause before the second attempt, in milliseconds. The pause doubles before each later attempt.
  public var backoff: WideInt

  /// Maximum number of attempts after the first one.
  public static let limit = 10

  public init(count: Int, backoff: WideInt = 1_000) {
    self.count = count
    self.backoff = backoff
  }

  /// Returns the milliseconds before the next attempt; `nil` if no attempts are left. `failed` is the number of failed attempts, at least
  /// 1. `asked` is the server's `Retry-After` in milliseconds, which is used if it is longer than the pause.
  package func pause(after failed: Int, asked: WideInt? = nil) -> WideInt? {
    guard failed <= count else { return nil }
    return max(backoff.multipliedSaturated(by: 1 << min(failed - 1, Self.limit)), asked ?? 0)
  }
}
