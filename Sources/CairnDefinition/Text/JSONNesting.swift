/// Measures how deeply a JSON text is nested, without parsing values. Brackets in strings do not count, because JSON strings can be found reliably.
struct JSONNesting {
  /// Whether the text, up to `lineTooDeep`, has the structure of JSON: brackets, strings and plain scalars where RFC 8259 (2) allows them.
  private(set) var isRead: Bool
  /// The line at which the nesting exceeds the limit; `nil` if the nesting never exceeds it. The rest of the text is not examined.
  private(set) var lineTooDeep: Int?

  private enum Last { case nothing, opening, comma, colon, string, scalar, closing }

  init(_ bytes: [UInt8]) {
    isRead = false
    var last = Last.nothing
    var depth = 0
    var line = 1
    var index = 0
    while index < bytes.count {
      let mayBegin = last == .opening || last == .comma || last == .colon
      switch bytes[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
      case UInt8(ascii: "\n"):
        line += 1
        index += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard mayBegin || last == .nothing else { return }
        depth += 1
        if depth > Nesting.bracketLimit {
          (isRead, lineTooDeep) = (true, line)
          return
        }
        last = .opening
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0, last != .comma, last != .colon else { return }
        depth -= 1
        last = .closing
        index += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        let isColon = bytes[index] == UInt8(ascii: ":")
        guard depth > 0, last == .string || !isColon && (last == .scalar || last == .closing) else { return }
        last = isColon ? .colon : .comma
        index += 1
      case UInt8(ascii: "\""):
        guard mayBegin, let end = Self.endOfString(in: bytes, from: index + 1) else { return }
        last = .string
        index = end
      default:
        guard mayBegin else { return }
        let end = bytes[index...].firstIndex { !Self.isPlain($0) } ?? bytes.endIndex
        guard end > index else { return }
        last = .scalar
        index = end
      }
    }
    isRead = depth == 0 && last == .closing
  }

  /// The index after the closing quote; `nil` if the line has no closing quote.
  private static func endOfString(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
      if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  /// Whether a byte belongs to a number, `true`, `false` or `null`.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"), UInt8(ascii: "+"),
      UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
