/// A request's path as decoded segments: `/` has none, `/a/` has `a` and an empty one, `/a%2Fb` has only `a/b`. Never `.` or `..`, which
/// are refused. Segments are UTF-8 bytes until they are read as text.
package struct RequestPath: RandomAccessCollection, Sendable {
  private let head: RequestHead

  init(_ head: RequestHead) { self.head = head }

  package var startIndex: Int { 0 }
  package var endIndex: Int { head.target.segments.count }

  /// The bytes of a segment.
  package subscript(index: Int) -> ArraySlice<UInt8> { head.text[head.target.segments[index]] }

  /// The bytes of a segment, lent.
  package func with<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    head.text.with(head.target.segments[index], body)
  }

  /// A segment as text.
  package func text(_ index: Int) -> String { with(index) { String(decoding: $0, as: UTF8.self) } }
}
