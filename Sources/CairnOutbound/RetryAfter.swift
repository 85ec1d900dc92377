import CairnCore
import Foundation

/// Parses the header `Retry-After` (RFC 9110, 10.2.3).
enum RetryAfter {
  /// Returns the milliseconds to wait. Returns `nil` unless the text is a date or a number of seconds that is not negative. A date in the
  /// past means 0.
  static func milliseconds(_ text: String, now: Date = Date()) -> Int? {
    if let seconds = Int(text) { return seconds < 0 ? nil : seconds.multipliedSaturated(by: 1_000) }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return format.date(from: text).map { max(0, Int(($0.timeIntervalSince(now) * 1_000).rounded(.up))) }
  }
}
