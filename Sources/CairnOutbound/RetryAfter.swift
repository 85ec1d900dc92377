import CairnCore
import Foundation

/// Parses the header `Retry-After` (RFC 9110, 10.2.3).
enum RetryAfter {
  /// Returns the milliseconds to wait. The text is a number of seconds or a date; returns `nil` if it is neither.
  static func milliseconds(_ text: String, now: Date = Date()) -> Int? {
    if let seconds = Int(text) { return seconds < 0 ? nil : seconds.multipliedSaturated(by: 1_000) }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return format.date(from: text).map { max(0, Int(($0.timeIntervalSince(now) * 1_000).rounded(.up))) }
  }
}
