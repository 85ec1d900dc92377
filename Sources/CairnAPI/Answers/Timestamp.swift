package import CairnCore

/// A time in the API's format: RFC 3339 in UTC with milliseconds.
package struct Timestamp: JSONWritable, Hashable, Sendable {
  /// Milliseconds since 1970.
  package var milliseconds: Int

  package init(_ milliseconds: Int) { self.milliseconds = milliseconds }

  /// Returns the text of a time in milliseconds since 1970.
  package static func text(_ milliseconds: Int) -> String { Timestamp(milliseconds).text }

  /// The text, such as `2024-02-29T23:59:59.999Z`.
  package var text: String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.limit) { place in
      let length = write(to: place)
      return String(decoding: place[..<length], as: UTF8.self)
    }
  }

  package func write(to writer: inout JSONWriter) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.limit) { place in
      let length = write(to: place)
      writer.plain(UnsafeBufferPointer(rebasing: place[..<length]))
    }
  }

  /// Enough bytes for every `Int`: a sign, 9 digits of the year, and 20 characters after the year.
  private static let limit = 32

  /// Writes the text at the start of the buffer `place`, and returns its length in bytes.
  private func write(to place: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let day = 86_400_000
    let time = ((milliseconds % day) + day) % day
    let days = milliseconds / day - (milliseconds % day < 0 ? 1 : 0)
    let (year, month, date) = civil(days: days)
    var count = 0
    func put(_ byte: UInt8) {
      place[count] = byte
      count += 1
    }
    func put(_ number: Int, _ width: Int) {
      var divisor = 1
      for _ in 1..<width { divisor *= 10 }
      while number / divisor > 9 { divisor *= 10 }
      while divisor > 0 {
        put(UInt8(ascii: "0") + UInt8(number / divisor % 10))
        divisor /= 10
      }
    }
    if year < 0 { put(UInt8(ascii: "-")) }
    put(abs(year), 4)
    put(UInt8(ascii: "-"))
    put(month, 2)
    put(UInt8(ascii: "-"))
    put(date, 2)
    put(UInt8(ascii: "T"))
    put(time / 3_600_000, 2)
    put(UInt8(ascii: ":"))
    put(time / 60_000 % 60, 2)
    put(UInt8(ascii: ":"))
    put(time / 1_000 % 60, 2)
    put(UInt8(ascii: "."))
    put(time % 1_000, 3)
    put(UInt8(ascii: "Z"))
    return count
  }

  /// The Gregorian date of a day counted from 1970-01-01 (Hinnant, chrono-compatible date algorithms).
  private func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
