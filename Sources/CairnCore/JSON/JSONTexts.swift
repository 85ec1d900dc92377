/// Pieces of JSON that were written once, by number. Immutable; an object over one array of bytes, so that copying a piece counts no reference.
final class JSONTexts: Sendable {
  private let bytes: [UInt8]
  /// The end of each; before them 0.
  private let ends: [Int]

  init(_ texts: [[UInt8]]) {
    bytes = Array(texts.joined())
    ends = texts.reduce(into: [0]) { ends, text in ends.append(ends[ends.count - 1] + text.count) }
  }

  /// Writes one as it is; commas are the caller's.
  @inline(__always)
  func write(_ number: Int, to writer: inout JSONWriter) {
    let (start, end) = (ends[number], ends[number + 1])
    bytes.withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress else { return }
      writer.piece(UnsafeBufferPointer(start: first + start, count: end &- start))
    }
  }
}
