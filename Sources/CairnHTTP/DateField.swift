import Glibc

/// The field `Date`, made once a second. One thread at a time.
final class DateField {
  private var second = Int.min
  private var made: [UInt8] = []

  /// The whole line, with its end.
  var line: [UInt8] {
    let now = time(nil)
    if now != second {
      second = now
      made = Array("Date: \(HTTPDate.text(now))\r\n".utf8)
    }
    return made
  }
}
