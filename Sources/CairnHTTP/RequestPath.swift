/// A request's path as decoded segments: `/` has none, `/a/` has `a` and an empty one, `/a%2Fb` has `a/b` alone.
/// Never `.` or `..`, which are refused. Segments are bytes of UTF-8 until they are asked for as text.
package struct RequestPath: Sendable {
  private let head: RequestHead

  init(_ head: RequestHead) { self.head = head }

  package var count: Int { head.segments.count }

  /// The bytes of a segment; `index` is less than `count`.
  package subscript(index: Int) -> ArraySlice<UInt8> { head[head.segments[index]] }

  /// A segment as text; `index` is less than `count`.
  package func text(_ index: Int) -> String { String(decoding: self[index], as: UTF8.self) }
}
