/// Pieces of JSON that are written once and copied by index. Immutable. A class with one array of bytes, so that copying a piece needs no
/// reference counting.
final class JSONTexts: Sendable {
  private let bytes: [UInt8]
  /// The end offset of each piece, preceded by a 0.
  private let ends: [Int]

  init(_ texts: [[UInt8]]) {
    bytes = Array(texts.joined())
    ends = texts.reduce(into: [0]) { ends, text in ends.append(ends[ends.count - 1] + text.count) }
  }

  /// Writes one piece unchanged. The caller writes commas.
  @inline(__always)
  func write(_ number: Int, to writer: inout JSONWriter) {
    let (start, end) = (ends[number], ends[number + 1])
    bytes.withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress else { return }
      writer.buffer.append(UnsafeBufferPointer(start: first + start, count: end &- start))
    }
  }
}
