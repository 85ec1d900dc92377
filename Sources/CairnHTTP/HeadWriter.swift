import Glibc

/// Writes the fields of an answer's head into memory that has room for them.
struct HeadWriter {
  private let room: UnsafeMutableRawBufferPointer
  /// Bytes that were written.
  private(set) var count = 0

  init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = UnsafeMutableRawBufferPointer(room) }

  /// Room that fields need, beside the date's and the length's.
  static func room(for headers: Headers) -> Int { headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 } }

  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    // It cannot be: `Outgoing` makes room for the date, every field as it is written below, and the longest length. Written beyond it would be memory
    // of somebody else, so it is checked all the same.
    precondition(bytes.count <= room.count - count, "the room for a head was counted wrong")
    if let start = bytes.baseAddress, let place = room.baseAddress { memcpy(place + count, start, bytes.count) }
    count += bytes.count
  }

  mutating func put(_ text: StaticString) { put(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }

  /// False: its name is no token, or its value could begin another line. One without a value says nothing, and is left out.
  mutating func put(_ field: Headers.Field) -> Bool {
    var (name, value) = (field.name, field.value)
    return name.withUTF8 { name in
      value.withUTF8 { value in
        let (name, value) = (UnsafeRawBufferPointer(name), UnsafeRawBufferPointer(value))
        guard name.isToken, value.isFieldValue else { return false }
        guard !value.isEmpty else { return true }
        put(name)
        put(": ")
        put(value)
        put("\r\n")
        return true
      }
    }
  }

  /// The room for it is `lengthRoom`.
  mutating func put(length: Int) {
    put("Content-Length: ")
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
      var (rest, place) = (length, digits.count)
      repeat {
        place -= 1
        digits[place] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      put(UnsafeRawBufferPointer(rebasing: digits[place...]))
    }
    put("\r\n")
  }

  static let lengthRoom = 40
}

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
