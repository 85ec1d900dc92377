/// The bytes of a request's head, copied once from the connection's memory, and the positions of its parts.
package struct HeadText: Sendable {
  /// The position of a part in the bytes.
  package struct Piece: Sendable {
    let start: Int32
    let count: Int32

    /// Creates the position of the `count` bytes from offset `start` on.
    package init(_ start: Int, _ count: Int) {
      self.start = Int32(truncatingIfNeeded: start)
      self.count = Int32(truncatingIfNeeded: count)
    }

    var range: Range<Int> { Int(start)..<Int(start + count) }
  }

  /// One field. Its value includes surrounding blanks.
  package struct Field: Sendable {
    let name: Piece
    let value: Piece

    /// Creates a field from the positions of its name and value.
    package init(name: Piece, value: Piece) { (self.name, self.value) = (name, value) }
  }

  /// All parts one after another: the target first, decoded path segments last.
  private(set) var bytes: [UInt8]
  let fields: [Field]
  /// A bit set of the names' lengths modulo 64. Most lookups of an absent field end here.
  private let lengths: UInt64
  let method: Piece
  let target: Piece

  /// Creates a head from the positions of its parts, without any checks.
  package init(bytes: [UInt8], fields: [Field], method: Piece, target: Piece) {
    self.bytes = bytes
    self.fields = fields
    var lengths: UInt64 = 0
    for field in fields { lengths |= 1 &<< UInt64(truncatingIfNeeded: field.name.count) }
    self.lengths = lengths
    self.method = method
    self.target = target
  }

  /// Appends text to the bytes and returns its position.
  mutating func append(_ more: String) -> Piece {
    let piece = Piece(bytes.count, more.utf8.count)
    bytes.append(contentsOf: more.utf8)
    return piece
  }

  /// The bytes of a part.
  subscript(piece: Piece) -> ArraySlice<UInt8> { bytes[piece.range] }

  /// Calls `body` with the bytes of a part, which are valid only during the call.
  func with<Result>(_ piece: Piece, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[piece.range])) }
  }

  /// Returns the index of the first field with this name from index `start` on; `nil` if there is no such field. ASCII case is ignored.
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
