/// Parses a chunked body byte by byte (RFC 9112, 7.1). libmicrohttpd accepts LF instead of CR LF here. Behind a proxy that does not accept
/// a single LF, an attacker could hide a second request in the body. Where parsers differ, this parser is stricter than the RFC: it allows
/// no blanks after a size, and no control characters in extensions.
struct Chunks {
  private enum Stage {
    case size(digits: Int)
    case extensions
    /// The parser expects the LF that follows the CR of a chunk's size.
    case sizeEnd
    case data(Int)
    case dataReturn
    case dataEnd
    case trailerStart
    case trailer
    case trailerEnd
    /// The parser expects the LF that follows the CR of the last, empty line.
    case last
  }

  private var stage = Stage.size(digits: 0)
  private var size = 0
  private var total = 0
  private var margin = 0
  private let limit: Int

  /// Maximum number of digits of a chunk's size.
  private static let digitLimit = 15
  /// Maximum number of bytes of one chunk's extensions, or of all trailers together.
  private static let marginLimit = 4096

  /// Creates a parser that accepts at most `limit` bytes of data.
  init(limit: Int) { self.limit = limit }

  /// Parses bytes from `index` on and advances `index`. Returns `true` when the body is complete. If the function throws, `index` is the
  /// index of the invalid byte.
  mutating func take(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) throws(Fault) -> Bool {
    while index < bytes.count {
      if case .data(let rest) = stage {
        let count = min(rest, bytes.count - index)
        index += count
        stage = count == rest ? .dataReturn : .data(rest - count)
        continue
      }
      let isEnd = try step(bytes[index])
      index += 1
      if isEnd { return true }
    }
    return false
  }

  private mutating func step(_ byte: UInt8) throws(Fault) -> Bool {
    switch stage {
    case .size(let digits):
      if let digit = byte.hexValue, digits < Self.digitLimit {
        size = size << 4 | Int(digit)
        stage = .size(digits: digits + 1)
      } else if digits > 0, byte == Self.carriageReturn {
        stage = .sizeEnd
      } else if digits > 0, byte == UInt8(ascii: ";") {
        stage = .extensions
      } else {
        throw .badRequest(reason: "the size of a chunk must be at most \(Self.digitLimit) hexadecimal digits, followed by CRLF or ;")
      }
      // The size is checked before the data arrives, so that the service does not wait for a body that it rejects.
      guard size <= limit - total else { throw .payloadTooLarge(limit: limit) }
    case .extensions:
      if byte == Self.carriageReturn { stage = .sizeEnd } else { try count(byte, in: "a chunk's extensions") }
    case .sizeEnd:
      try expect(byte, Self.newline, "the size of a chunk")
      total += size
      stage = size == 0 ? .trailerStart : .data(size)
      size = 0
      margin = 0
    case .data, .dataReturn:
      try expect(byte, Self.carriageReturn, "a chunk")
      stage = .dataEnd
    case .dataEnd:
      try expect(byte, Self.newline, "a chunk")
      stage = .size(digits: 0)
    case .trailerStart:
      if byte == Self.carriageReturn {
        stage = .last
      } else {
        guard ByteSet.token.contains(byte) else { throw .badRequest(reason: "a trailer field must begin with a name") }
        try count(byte, in: "a trailer")
        stage = .trailer
      }
    case .trailer:
      if byte == Self.carriageReturn { stage = .trailerEnd } else { try count(byte, in: "a trailer") }
    case .trailerEnd:
      try expect(byte, Self.newline, "a trailer")
      stage = .trailerStart
    case .last:
      try expect(byte, Self.newline, "the chunked body")
      return true
    }
    return false
  }

  private func expect(_ byte: UInt8, _ expected: UInt8, _ what: String) throws(Fault) {
    guard byte == expected else { throw .badRequest(reason: "\(what) must end with CRLF") }
  }

  private mutating func count(_ byte: UInt8, in what: String) throws(Fault) {
    guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else {
      throw .badRequest(reason: "\(what) contains a control character, or a line feed without a carriage return")
    }
    margin += 1
    guard margin <= Self.marginLimit else { throw .badRequest(reason: "\(what) is too long") }
  }

  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
}
