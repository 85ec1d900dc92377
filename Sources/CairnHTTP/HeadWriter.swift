import Glibc

/// The fields of an answer's head as bytes.
struct HeadWriter {
  private(set) var bytes: [UInt8]

  /// Writes into this memory; what is in it goes.
  init(_ memory: consuming [UInt8]) {
    bytes = memory
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func put(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func put(_ line: [UInt8]) { bytes.append(contentsOf: line) }

  /// False: its name is no token, or its value could begin another line. One without a value says nothing, and is left out.
  mutating func put(_ field: Headers.Field) -> Bool {
    var (name, value) = (field.name, field.value)
    return name.withUTF8 { name in
      value.withUTF8 { value in
        guard UnsafeRawBufferPointer(name).isToken, UnsafeRawBufferPointer(value).isFieldValue else { return false }
        guard !value.isEmpty else { return true }
        bytes.append(contentsOf: name)
        put(": ")
        bytes.append(contentsOf: value)
        put("\r\n")
        return true
      }
    }
  }

  mutating func put(length: Int) {
    put("Content-Length: ")
    put(number: length)
    put("\r\n")
  }

  private mutating func put(number: Int) {
    if number >= 10 { put(number: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

/// The field `Date` (RFC 9110, 5.6.7), made once a second. One thread at a time.
final class DateField {
  private var second = Int.min
  private var made: [UInt8] = []

  /// The whole line, with its end.
  var line: [UInt8] {
    let now = time(nil)
    if now != second {
      second = now
      made = Array("Date: \(Self.text(now))\r\n".utf8)
    }
    return made
  }

  /// `seconds`: since 1970.
  static func text(_ seconds: Int) -> String {
    var (moment, parts) = (seconds, tm())
    gmtime_r(&moment, &parts)
    let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday) % 7]
    let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][Int(parts.tm_mon) % 12]
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(two).joined(separator: ":")
    return "\(day), \(two(parts.tm_mday)) \(month) \(parts.tm_year + 1900) \(clock) GMT"
  }
}
