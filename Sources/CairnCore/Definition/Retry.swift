/// The repetition of a call after a temporary failure: no connection, 408, 429, 502, 503 or 504.
public struct Retry: Hashable, Sendable {
  /// The maximum number of attempts after the first one.
  public var count: Int
  /// The milliseconds before the second attempt. The pause doubles before each further one.
  public var backoff: WideInt

  /// The largest allowed `count`.
  public static let limit = 10

  public init(count: Int, backoff: WideInt = 1_000) {
    self.count = count
    self.backoff = backoff
  }

  /// Milliseconds before the next attempt, after so many that failed (from 1), or as long as the server asks for if that is longer;
  /// nil: there is none.
  package func pause(after failed: Int, asked: WideInt? = nil) -> WideInt? {
    guard failed <= count else { return nil }
    return max(backoff.multipliedSaturated(by: 1 << min(failed - 1, Self.limit)), asked ?? 0)
  }
}
