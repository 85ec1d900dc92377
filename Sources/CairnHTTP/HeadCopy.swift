/// A head being copied, part by part, to where there is room for it.
struct HeadCopy {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let fields: UnsafeMutableBufferPointer<HeadText.Field>
  private(set) var layout: Layout
  /// How many bytes there are.
  private(set) var size = 0
  /// How many fields there are.
  private(set) var count = 0
  /// False: something did not fit, and is not there.
  private(set) var hasRoom = true

  /// `bytes` and `fields` are not initialized, and are filled from their beginning.
  init(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ fields: UnsafeMutableBufferPointer<HeadText.Field>, _ layout: Layout) {
    self.bytes = bytes
    self.fields = fields
    self.layout = layout
  }

  /// Adds a part.
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

  /// Adds a field; false: it did not fit.
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
