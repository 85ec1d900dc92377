import Glibc

/// The field `Date`, formatted at most once per second. Not thread-safe.
final class DateField {
  private var second = Int.min
  private var made: [UInt8] = []

  /// The whole line with its CR LF.
  var line: [UInt8] {
    let now = time(nil)
    if now != second {
      second = now
      made = Array("Date: \(HTTPDate.text(now))\r\n".utf8)
    }
    return made
  }
}
