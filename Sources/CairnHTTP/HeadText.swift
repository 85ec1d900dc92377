/// The bytes of a request's head, copied once out of the connection's memory, and where its parts lie in them.
package struct HeadText: Sendable {
  /// Where a part lies.
  package struct Piece: Sendable {
    let start: Int32
    let count: Int32

    /// From `start` on so many bytes.
    package init(_ start: Int, _ count: Int) {
      self.start = Int32(truncatingIfNeeded: start)
      self.count = Int32(truncatingIfNeeded: count)
    }

    var range: Range<Int> { Int(start)..<Int(start + count) }
  }

  /// One field, blanks around its value included.
  package struct Field: Sendable {
    let name: Piece
    let value: Piece

    /// A name and a value that lie there.
    package init(name: Piece, value: Piece) { (self.name, self.value) = (name, value) }
  }

  /// Everything one after another: the target first; what had to be decoded last.
  private(set) var bytes: [UInt8]
  let fields: [Field]
  /// A bit for each length that a name has, by its remainder: most questions for a field are answered by it.
  private let lengths: UInt64
  let method: Piece
  let target: Piece

  /// A head whose parts lie there; nothing is checked here.
  package init(bytes: [UInt8], fields: [Field], method: Piece, target: Piece) {
    self.bytes = bytes
    self.fields = fields
    var lengths: UInt64 = 0
    for field in fields { lengths |= 1 &<< UInt64(truncatingIfNeeded: field.name.count) }
    self.lengths = lengths
    self.method = method
    self.target = target
  }

  /// Adds bytes after the others.
  mutating func append(_ more: String) -> Piece {
    let piece = Piece(bytes.count, more.utf8.count)
    bytes.append(contentsOf: more.utf8)
    return piece
  }

  /// The bytes of a part.
  subscript(piece: Piece) -> ArraySlice<UInt8> { bytes[piece.range] }

  /// The bytes of a part, lent.
  func with<Result>(_ piece: Piece, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[piece.range])) }
  }

  /// The first field of that name from `start` on.
  func field(_ name: StaticString, from start: Int = 0) -> Int? {
    guard lengths &>> UInt64(truncatingIfNeeded: name.utf8CodeUnitCount) & 1 == 1 else { return nil }
    return bytes.withUnsafeBytes { bytes in
      for index in start..<fields.count where Int(fields[index].name.count) == name.utf8CodeUnitCount {
        if UnsafeRawBufferPointer(rebasing: bytes[fields[index].name.range]).isEqualIgnoringCase(to: name) { return index }
      }
      return nil
    }
  }
}
