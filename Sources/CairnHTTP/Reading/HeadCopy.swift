/// Copies the parts of a head into buffers of a given size.
struct HeadCopy {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let fields: UnsafeMutableBufferPointer<HeadText.Field>
  private(set) var layout: Layout
  /// The number of bytes copied.
  private(set) var size = 0
  /// The number of fields copied.
  private(set) var count = 0
  /// Whether all parts fit into the buffers. Parts that do not fit are not copied.
  private(set) var hasRoom = true

  /// Creates a copy in buffers that may be uninitialized. `bytes` and `fields` are filled from the start.
  init(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ fields: UnsafeMutableBufferPointer<HeadText.Field>, _ layout: Layout) {
    self.bytes = bytes
    self.fields = fields
    self.layout = layout
  }

  /// Copies a part. Returns its position, or an empty piece if the part does not fit.
  mutating func add(_ part: UnsafeRawBufferPointer) -> HeadText.Piece {
    guard part.count <= bytes.count - size else {
      hasRoom = false
      return HeadText.Piece(0, 0)
    }
    let piece = HeadText.Piece(size, part.count)
    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[piece.range]).copyMemory(from: part)
    size += part.count
    return piece
  }

  /// Copies a field. Returns `false` if the field does not fit.
  mutating func addField(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
    guard count < fields.count else {
      hasRoom = false
      return false
    }
    layout.add(name: Self.span(name), value: Self.span(value))
    fields.initializeElement(at: count, to: HeadText.Field(name: add(name), value: add(value)))
    count += 1
    return hasRoom
  }

  private static func span(_ part: UnsafeRawBufferPointer) -> Range<UInt> {
    let start = UInt(bitPattern: part.baseAddress)
    return start..<start + UInt(part.count)
  }
}
