import CairnHTTP

/// A GET request's wait for the next change of its session.
struct LongPoll {
  /// The longest wait, in milliseconds.
  static let most = 60_000

  let milliseconds: Int
  /// The preference that was applied, for `Preference-Applied` (RFC 7240, 3); `nil` if the parameter `wait` sets the duration.
  let applied: String?

  /// Parses the parameter `wait` (a duration) or, if it is missing, the preference `wait` (seconds; RFC 7240, 4.3). A preference above the
  /// longest wait is reduced to the longest wait. Returns `nil` if the request does not wait.
  init?(_ query: inout QueryReader, _ preferences: Preferences) {
    if let milliseconds = query.read(Query.wait) {
      (self.milliseconds, applied) = (milliseconds, nil)
    } else if let seconds = preferences.wait {
      milliseconds = min(seconds, Self.most / 1_000) * 1_000
      applied = "wait=\(milliseconds / 1_000)"
    } else {
      return nil
    }
  }
}
