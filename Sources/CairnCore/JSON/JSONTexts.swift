/// Parts of JSON that were encoded once, by number. Immutable. A class with one array, so that copying a part needs no reference counting.
final class JSONTexts: Sendable {
  private let bytes: [UInt8]
  /// The end of each part. Index 0 contains 0.
  private let ends: [Int]

  init(_ texts: [[UInt8]]) {
    bytes = Array(texts.joined())
    ends = texts.reduce(into: [0]) { ends, text in ends.append(ends[ends.count - 1] + text.count) }
  }

  /// Writes a part. The caller writes the commas.
  @inline(__always)
  func write(_ number: Int, to writer: inout JSONWriter) {
    let (start, end) = (ends[number], ends[number + 1])
    bytes.withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress else { return }
      writer.piece(UnsafeBufferPointer(start: first + start, count: end &- start))
    }
  }
}
