/// One request, checked: its framing is unambiguous, its target decodes, its body is whole and within the limit.
package struct Request: Sendable {
  /// One pair of the query, decoded. `?a&b=` gives two pairs with empty values.
  package struct QueryItem: Sendable, Equatable {
    package let name: String
    package let value: String

    /// A pair that is decoded already.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The whole body, chunks joined; empty in what `fault` and a request without one get.
  package internal(set) var body: [UInt8] = []
  private let head: RequestHead

  /// A request without a body.
  package init(head: RequestHead) { self.head = head }

  /// As sent, a token, case kept: `GET` and `get` differ (RFC 9110 9.1).
  package var method: String { String(decoding: head.text[head.text.method], as: UTF8.self) }
  /// The bytes of the method, lent.
  package func withMethod<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { head.text.with(head.text.method, body) }
  /// It is a HEAD: its answer has no body.
  var asksForHead: Bool { withMethod { $0.isEqual(to: "HEAD") } }
  /// The request target as sent, query included, not decoded.
  package var target: String { String(decoding: head.text[head.text.target], as: UTF8.self) }
  /// The target's path up to its first `?`, not decoded; empty for an absolute form without one.
  package var rawPath: String { String(decoding: head.rawPath, as: UTF8.self) }
  /// The decoded segments: `/` is `[]`, `/a/` is `["a", ""]`, `/a%2Fb` is `["a/b"]`. Never `.` or `..`, which are refused.
  package var path: [String] { (0..<segments.count).map(segments.text) }
  /// The same as bytes.
  package var segments: RequestPath { RequestPath(head) }
  /// The decoded pairs in order, as a form encodes them: `+` is a space here (never in the path), `%2B` a plus.
  package var query: [QueryItem] { head.target.query }
  /// As sent, in order.
  package var headers: ReceivedHeaders { ReceivedHeaders(head) }
  /// The peer's address without its port; an IPv4 peer of an IPv6 socket reads as IPv4.
  package var remoteAddress: String { head.remoteAddress }
  /// Unique within this process, and across processes with high probability; for logs and problems.
  package var id: String { head.id }

  /// The first value of that name in the query, or nil.
  package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
