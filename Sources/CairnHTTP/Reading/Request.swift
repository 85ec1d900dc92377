/// One validated request. Its framing is unambiguous, its target is decoded, and its body is complete and within the limit.
package struct Request: Sendable {
  /// One decoded item of the query. `?a&b=` has two items with empty values.
  package struct QueryItem: Sendable, Equatable {
    package let name: String
    package let value: String

    /// Creates an item whose name and value are already decoded.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The whole body, with chunks joined. Empty for a request without a body and in requests that are passed to the `fault` closure of
  /// `Server`.
  package internal(set) var body: [UInt8] = []
  private let head: RequestHead

  /// Creates a request without a body.
  package init(head: RequestHead) { self.head = head }

  /// The method as sent. It is case-sensitive: `GET` and `get` differ (RFC 9110, 9.1).
  package var method: String { String(decoding: head.text[head.text.method], as: UTF8.self) }
  /// Calls `body` with the bytes of the method, which are valid only during the call.
  package func withMethod<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { head.text.with(head.text.method, body) }
  /// Whether the method is HEAD, so that the response has no body.
  var asksForHead: Bool { withMethod { $0.isEqual(to: "HEAD") } }
  /// The request target as sent, with its query, not decoded.
  package var target: String { String(decoding: head.text[head.text.target], as: UTF8.self) }
  /// The path of the target up to the first `?`, not decoded. Empty for an absolute form without a path.
  package var rawPath: String { String(decoding: head.rawPath, as: UTF8.self) }
  /// The decoded segments: `/` is `[]`, `/a/` is `["a", ""]`, `/a%2Fb` is `["a/b"]`. Targets with `.` or `..` segments are rejected.
  package var path: [String] { (0..<segments.count).map(segments.text) }
  /// The decoded segments as bytes.
  package var segments: RequestPath { RequestPath(head) }
  /// The query parameters in order, decoded as form data: `+` means a space (unlike in the path), `%2B` a plus.
  package var query: [QueryItem] { head.target.query }
  /// The header fields in the order in which they were sent.
  package var headers: ReceivedHeaders { ReceivedHeaders(head) }
  /// The peer's address without its port. An IPv4 peer of an IPv6 socket has an IPv4 address.
  package var remoteAddress: String { head.remoteAddress }
  /// The id of the request, for logs and error responses. Unique in this process, and in all processes with high probability.
  package var id: String { head.id }

  /// Returns the first value of this name in the query; `nil` if the query has no item with this name.
  package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
