/// Parses the header `traceparent` (W3C Trace Context): version, trace id, parent id and flags, of 2, 32, 16 and 2 hexadecimal digits.
enum TraceParent {
  /// The trace id, 32 hexadecimal digits; `nil` if the value is missing or malformed.
  static func traceID(_ value: String?) -> String? {
    guard let parts = value?.split(separator: "-", omittingEmptySubsequences: false), parts.count == 4 else { return nil }
    guard zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.utf8.count == $1 && $0.utf8.allSatisfy(isLowerHex) }) else { return nil }
    guard parts[0] != "ff", parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }) else { return nil }
    return String(parts[1])
  }

  private static func isLowerHex(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
}
