import CairnHTTP

/// A client's preferences for its response (RFC 7240).
package enum Preferences {
  /// Whether a `Prefer` field contains `return=minimal` (4.2), which requests the short response.
  package static func askForMinimum(_ field: String) -> Bool {
    first(in: field) { $0.isEqual(to: "return=minimal") ? true : nil } ?? false
  }

  /// The seconds of the preference `wait` in a `Prefer` field (4.3); `nil` if the field does not contain it.
  package static func wait(_ field: String) -> Int? {
    first(in: field) { preference in
      let name: StaticString = "wait="
      let digits = UnsafeRawBufferPointer(rebasing: preference.dropFirst(name.utf8CodeUnitCount))
      guard !digits.isEmpty, UnsafeRawBufferPointer(rebasing: preference.prefix(name.utf8CodeUnitCount)).isEqual(to: name),
        digits.allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      return Int(String(decoding: digits, as: UTF8.self)) ?? .max
    }
  }

  /// Calls `read` with each preference of the field and returns the first result that is not `nil`. The bytes are in lower case, without
  /// parameters, blanks and quotes, and valid only during the call.
  private static func first<Found>(in field: String, _ read: (UnsafeRawBufferPointer) -> Found?) -> Found? {
    var field = field
    return field.withUTF8 { bytes in
      withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { preference in
        var (count, isParameter) = (0, false)
        for index in 0...bytes.count {
          let byte = index < bytes.count ? bytes[index] : UInt8(ascii: ",")
          switch byte {
          case UInt8(ascii: ","):
            if let found = read(UnsafeRawBufferPointer(rebasing: preference[..<count])) { return found }
            (count, isParameter) = (0, false)
          case UInt8(ascii: ";"): isParameter = true
          case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\""): continue
          default:
            guard !isParameter else { continue }
            preference[count] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            count += 1
          }
        }
        return nil
      }
    }
  }
}
