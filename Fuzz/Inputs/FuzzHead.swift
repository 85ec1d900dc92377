import CairnHTTP

/// Parses a head as libmicrohttpd would.
enum FuzzHead {
  /// Returns the first head and its HTTP version; `nil` if there is none, or if its request line does not have three parts.
  static func read(_ bytes: [UInt8]) -> (HeadText, version: [UInt8])? {
    let start = bytes.firstIndex { $0 != newline && $0 != carriageReturn } ?? bytes.endIndex
    var lines = lines(of: bytes[start...])
    guard !lines.isEmpty else { return nil }
    let parts = lines.removeFirst().split(separator: blank, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    return (text(method: Array(parts[0]), target: Array(parts[1]), lines.prefix { !$0.isEmpty }), Array(parts[2]))
  }

  /// A head with these lines as header fields. Lines without a colon are ignored.
  static func text(method: [UInt8], target: [UInt8], _ lines: some Sequence<ArraySlice<UInt8>>) -> HeadText {
    var bytes = target + method
    var fields: [HeadText.Field] = []
    func piece(_ part: ArraySlice<UInt8>) -> HeadText.Piece {
      bytes += part
      return HeadText.Piece(bytes.count - part.count, part.count)
    }
    for line in lines {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      fields.append(HeadText.Field(name: piece(line[..<colon]), value: piece(line[(colon + 1)...].drop { $0 == blank })))
    }
    return HeadText(bytes: bytes, fields: fields, method: .init(target.count, method.count), target: .init(0, target.count))
  }

  /// The lines without their line ends.
  static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.split(separator: newline, omittingEmptySubsequences: false).map { $0.last == carriageReturn ? $0.dropLast() : $0 }
  }

  private static let blank = UInt8(ascii: " ")
  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
}
