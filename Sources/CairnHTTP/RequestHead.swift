/// A request's head, copied once out of the connection's memory: bytes, and where its parts lie in them.
/// A part becomes a String when somebody asks for it.
///
/// Unchecked: written by the connection's thread while it reads the head, never again once a `Request` with it has left that thread.
final class RequestHead: @unchecked Sendable {
  /// Where a part lies.
  struct Piece {
    let start: Int32
    let count: Int32

    init(_ start: Int, _ count: Int) {
      self.start = Int32(truncatingIfNeeded: start)
      self.count = Int32(truncatingIfNeeded: count)
    }

    var range: Range<Int> { Int(start)..<Int(start + count) }
  }

  /// One field, blanks around its value included.
  struct Field {
    let name: Piece
    let value: Piece
  }

  /// Everything one after another: the target first; what had to be decoded last.
  private(set) var bytes: [UInt8]
  /// Where the target stood in the connection's memory.
  let targetSpan: Range<UInt>
  /// The target is longer than it may be, and only its beginning is here.
  let isTargetTooLong: Bool
  private(set) var fields: [Field] = []
  /// The request's number on its connection.
  var number = 0
  var id = ""
  var remoteAddress = ""
  var segments: [Piece] = []
  var query: [Request.QueryItem] = []
  private let targetCount: Int
  private var methodPiece = Piece(0, 0)

  /// A head whose request line has come: libmicrohttpd cuts and decodes the target in place after this.
  init(target: UnsafePointer<CChar>, limit: Int) {
    let count = CStrings.length(target)
    targetSpan = CStrings.span(target, count)
    isTargetTooLong = count > limit
    targetCount = min(count, limit)
    bytes = []
    bytes.reserveCapacity(targetCount + 384)
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: target, count: targetCount))
    fields.reserveCapacity(8)
  }

  /// Adds bytes after the others.
  func append(_ more: UnsafeRawBufferPointer) -> Piece {
    let piece = Piece(bytes.count, more.count)
    bytes.append(contentsOf: more)
    return piece
  }

  /// Adds bytes after the others.
  func append(_ more: [UInt8]) -> Piece { more.withUnsafeBytes { append($0) } }

  /// Notes the method.
  func setMethod(_ method: UnsafeRawBufferPointer) { methodPiece = append(method) }

  /// Notes a field after the others.
  func addField(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    fields.append(Field(name: append(name), value: append(value)))
  }

  /// The bytes of a part.
  subscript(piece: Piece) -> ArraySlice<UInt8> { bytes[piece.range] }

  var target: ArraySlice<UInt8> { bytes[..<targetCount] }
  /// The target up to its first `?`.
  var rawPath: ArraySlice<UInt8> { target.prefix { $0 != UInt8(ascii: "?") } }
  var method: ArraySlice<UInt8> { self[methodPiece] }
}
