import Glibc

/// Follows a connection's bytes from message to message beside libmicrohttpd: where a head ends, how much of a body has arrived, and which
/// bytes no reader may accept. A message at a time: its head is checked, then `begin` must say how its body is framed.
package struct Wire {
  private enum Stage {
    /// Before a request line; empty lines there are passed over (RFC 9112 2.2).
    case start
    case head
    /// A head is complete. The bytes behind it are kept until the framing is known.
    case whole
    case body(Int)
    case chunks(Chunks)
    /// Nothing more is looked at.
    case broken
  }

  private var stage = Stage.start
  private var early: [UInt8] = []
  private var line = 0
  private var hasReturn = false
  private var emptyLines = 0
  /// The error of the message; it is final for this connection.
  package private(set) var fault: Fault?
  /// Whether that is wrong with its body, whose head was taken.
  private(set) var isBodyFault = false
  /// Bytes of the message's head so far.
  private(set) var head = 0
  /// The number of HEAD requests among them.
  private var asked = 0

  /// The number of empty lines that are allowed before a request line; some clients send one behind a body.
  private static let emptyLineLimit = 8

  /// Before the first byte.
  package init() {}

  /// Whether a message has begun, and is not whole.
  package var isWithin: Bool {
    if case .start = stage { false } else { true }
  }

  /// Whether the message's method is HEAD, whose answer has no body.
  var asksForHead: Bool { asked == Self.headMethod.count }

  /// Whether a body is awaited.
  package var hasBody: Bool {
    switch stage {
    case .body, .chunks: true
    default: false
    }
  }

  /// Whether a message's head is whole, and its framing not told.
  package var hasHead: Bool {
    if case .whole = stage { true } else { false }
  }

  /// Takes what came. Gives where the first wrong byte stands, once: `fault` says more.
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

  /// The whole head frames its body like this: what came behind it is looked at now.
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

  /// The rest of a line, or what has come of it. libmicrohttpd takes a CR alone for a line's end, which others do not.
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
  private static let bareReturn = Fault.badRequest(reason: "the head holds a carriage return that no line feed follows")
}

extension UnsafeRawBufferPointer {
  /// Where the first such byte stands, from the beginning.
  func firstOffset(of byte: UInt8) -> Int? {
    guard let start = baseAddress, let found = memchr(start, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - start
  }
}
