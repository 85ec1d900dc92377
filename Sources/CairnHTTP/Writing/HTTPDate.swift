import Glibc

/// Formats a time as an HTTP date (RFC 9110, 5.6.7).
package enum HTTPDate {
  /// Returns the date of a Unix time in seconds, from 1970 to 9999.
  package static func text(_ seconds: Int) -> String {
    var (moment, parts) = (seconds, tm())
    gmtime_r(&moment, &parts)
    return String(unsafeUninitializedCapacity: 29) { room in
      var count = 0
      func put(_ text: StaticString, _ place: Int32 = 0, _ length: Int = 1) {
        for index in 0..<length { room[count + index] = text.utf8Start[Int(place) * length + index] }
        count += length
      }
      func put(_ number: Int32) {
        room[count] = UInt8(ascii: "0") + UInt8(number / 10 % 10)
        room[count + 1] = UInt8(ascii: "0") + UInt8(number % 10)
        count += 2
      }
      put("SunMonTueWedThuFriSat", parts.tm_wday, 3)
      put(", ", 0, 2)
      put(parts.tm_mday)
      put(" ")
      put("JanFebMarAprMayJunJulAugSepOctNovDec", parts.tm_mon, 3)
      put(" ")
      let year = parts.tm_year + 1_900
      put(year / 100)
      put(year % 100)
      put(" ")
      put(parts.tm_hour)
      put(":")
      put(parts.tm_min)
      put(":")
      put(parts.tm_sec)
      put(" GMT", 0, 4)
      return count
    }
  }
}
