/// A time as the API writes it.
package enum Timestamp {
  /// RFC 3339 in UTC with milliseconds, of milliseconds since 1970.
  package static func text(_ milliseconds: Int) -> String {
    let day = 86_400_000
    let time = ((milliseconds % day) + day) % day
    let (year, month, date) = civil(days: (milliseconds - time) / day)
    return
      "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2))T\(padded(time / 3_600_000, 2)):\(padded(time / 60_000 % 60, 2)):\(padded(time / 1_000 % 60, 2)).\(padded(time % 1_000, 3))Z"
  }

  /// The Gregorian date of a day counted from 1970-01-01 (Hinnant, chrono-compatible date algorithms).
  private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
