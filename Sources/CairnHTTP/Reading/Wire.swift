import Glibc

/// Follows the bytes of a connection from message to message, in parallel to libmicrohttpd. It finds the end of each head, counts the bytes
/// of each body, and detects bytes that no parser may accept. After each head, `begin` must be called with the framing of the body.
package struct Wire {
  private enum Stage {
    /// The parser is before a request line. It skips empty lines here (RFC 9112, 2.2).
    case start
    case head
    /// A head is complete. The bytes after it are kept until the framing is known.
    case whole
    case body(Int)
    case chunks(Chunks)
    /// A fault was found. Later bytes are ignored.
    case broken
  }

  private var stage = Stage.start
  private var early: [UInt8] = []
  private var line = 0
  private var hasReturn = false
  private var emptyLines = 0
  /// The fault of the message; `nil` if no fault was found. A fault is final for this connection.
  package private(set) var fault: Fault?
  /// Whether the fault was found in a body whose head had been accepted.
  private(set) var isBodyFault = false
  /// The number of bytes of the message's head so far.
  private(set) var head = 0
  /// The number of leading bytes of the head that match `HEAD `.
  private var asked = 0

  /// The number of empty lines allowed before a request line; some clients send one after a body.
  private static let emptyLineLimit = 8

  /// Creates the parser of a connection before its first byte.
  package init() {}

  /// Whether a message has begun and is incomplete, or a fault was found.
  package var isWithin: Bool {
    if case .start = stage { false } else { true }
  }

  /// Whether the message's method is HEAD, so that the response has no body.
  var asksForHead: Bool { asked == Self.headMethod.count }

  /// Whether bytes of a body are expected.
  package var hasBody: Bool {
    switch stage {
    case .body, .chunks: true
    default: false
    }
  }

  /// Whether a head is complete and `begin` has not been called for it.
  package var hasHead: Bool {
    if case .whole = stage { true } else { false }
  }

  /// Parses received bytes. If a fault is found, stores it in `fault` and returns the index of the invalid byte. Otherwise, and in all
  /// later calls, returns `nil`.
  package mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var index = 0
    while index < bytes.count {
      do throws(Fault) {
        switch stage {
        case .start: try passEmptyLine(bytes[index], &index)
        case .head: try takeLine(bytes, &index)
        case .whole:
          early.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[index...]))
          return nil
        case .body(let rest):
          let count = min(rest, bytes.count - index)
          index += count
          stage = count == rest ? .start : .body(rest - count)
        case .chunks(var chunks):
          let isEnd = try chunks.take(bytes, &index)
          stage = isEnd ? .start : .chunks(chunks)
        case .broken: return nil
        }
      } catch {
        fault = error
        isBodyFault = hasBody
        stage = .broken
        return index
      }
    }
    return nil
  }

  /// Sets the framing of the body after a complete head, and parses the bytes that were kept. Stores a fault in these bytes in `fault`.
  package mutating func begin(_ framing: Framing, bodyLimit: Int) {
    emptyLines = 0
    hasReturn = false
    if framing.isChunked {
      stage = .chunks(Chunks(limit: bodyLimit))
    } else if let length = framing.contentLength, length > 0 {
      stage = .body(length)
    } else {
      stage = .start
    }
    guard !early.isEmpty else { return }
    let rest = early
    early = []
    _ = rest.withUnsafeBytes { take($0) }
  }

  private mutating func passEmptyLine(_ byte: UInt8, _ index: inout Int) throws(Fault) {
    switch byte {
    case Self.newline:
      emptyLines += 1
      hasReturn = false
    case Self.carriageReturn where !hasReturn: hasReturn = true
    default:
      guard !hasReturn else { throw Self.bareReturn }
      stage = .head
      head = 0
      asked = 0
      line = 0
      return
    }
    guard emptyLines <= Self.emptyLineLimit else { throw .badRequest(reason: "there are too many empty lines before the request") }
    index += 1
  }

  /// Parses the rest of a line, or the part of it that has arrived. Throws for a CR without LF, which libmicrohttpd accepts as a line end
  /// and other parsers do not.
  private mutating func takeLine(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) throws(Fault) {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
    let end = rest.firstOffset(of: Self.newline)
    let part = UnsafeRawBufferPointer(rebasing: rest[..<(end ?? rest.count)])
    if head < Self.headMethod.count {
      for (offset, byte) in part.prefix(Self.headMethod.count - head).enumerated()
      where asked == head + offset && byte == Self.headMethod[asked] { asked += 1 }
    }
    if hasReturn, !part.isEmpty { throw Self.bareReturn }
    if let place = part.firstOffset(of: Self.carriageReturn) {
      guard place == part.count - 1 else {
        index += place + 1
        throw Self.bareReturn
      }
      hasReturn = true
    }
    line += part.count
    let count = part.count + (end == nil ? 0 : 1)
    index += count
    head += count
    guard end != nil else { return }
    if line == (hasReturn ? 1 : 0) { stage = .whole }
    line = 0
    hasReturn = false
  }

  private static let headMethod = Array("HEAD ".utf8)
  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let bareReturn = Fault.badRequest(reason: "the head contains a carriage return without a line feed")
}

extension UnsafeRawBufferPointer {
  /// Returns the offset of the first byte with this value; `nil` if no byte has it.
  func firstOffset(of byte: UInt8) -> Int? {
    guard let start = baseAddress, let found = memchr(start, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - start
  }
}
