/// A request's path as decoded segments: `/` has none, `/a/` has `a` and an empty one, `/a%2Fb` has `a/b` alone.
/// Never `.` or `..`, which are refused. Segments are bytes of UTF-8 until they are asked for as text.
package struct RequestPath: RandomAccessCollection, Sendable {
  private let head: RequestHead

  init(_ head: RequestHead) { self.head = head }

  package var startIndex: Int { 0 }
  package var endIndex: Int { head.segments.count }

  /// The bytes of a segment.
  package subscript(index: Int) -> ArraySlice<UInt8> { head[head.segments[index]] }

  /// A segment as text.
  package func text(_ index: Int) -> String { String(decoding: self[index], as: UTF8.self) }
}
