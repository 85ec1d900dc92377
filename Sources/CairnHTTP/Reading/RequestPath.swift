/// A request's path as decoded segments: `/` has no segment, `/a/` has `a` and an empty segment, `/a%2Fb` has only `a/b`. Paths with `.` or
/// `..` segments are rejected. Segments are stored as UTF-8 bytes.
package struct RequestPath: RandomAccessCollection, Sendable {
  private let head: RequestHead

  init(_ head: RequestHead) { self.head = head }

  package var startIndex: Int { 0 }
  package var endIndex: Int { head.target.segments.count }

  /// The bytes of a segment.
  package subscript(index: Int) -> ArraySlice<UInt8> { head.text[head.target.segments[index]] }

  /// Whether the bytes of a segment pass `test`. Not generic, because a generic function is not specialized for callers in another module.
  package func isSegment(_ index: Int, _ test: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    head.text.with(head.target.segments[index], test)
  }

  /// Whether a segment equals `expected`. `nil` matches every segment that is not empty.
  package func isSegment(_ index: Int, _ expected: [UInt8]?) -> Bool {
    let piece = head.target.segments[index]
    guard let expected else { return piece.count > 0 }
    return expected.count == Int(piece.count) && head.text.with(piece) { bytes in expected.withUnsafeBytes { bytes.hasBytes(of: $0) } }
  }

  /// Returns a segment as text.
  package func text(_ index: Int) -> String { head.text.with(head.target.segments[index]) { String(decoding: $0, as: UTF8.self) } }
}
