/// A request that has been checked: its framing is unambiguous, its target is decoded, and its body is complete and within the limit.
package struct Request: Sendable {
  /// A decoded parameter of the query. `?a&b=` contains two with empty values.
  package struct QueryItem: Sendable, Equatable {
    package let name: String
    package let value: String

    /// Creates a parameter from decoded text.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The whole body, with chunks joined. Empty for a request that is passed to `fault`.
  package internal(set) var body: [UInt8] = []
  private let head: RequestHead

  /// Creates a request without a body.
  package init(head: RequestHead) { self.head = head }

  /// The method as sent. It is case-sensitive (RFC 9110, 9.1).
  package var method: String { String(decoding: head.text[head.text.method], as: UTF8.self) }
  /// Passes the bytes of the method to `body`, without copying them.
  package func withMethod<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { head.text.with(head.text.method, body) }
  /// Whether the method is HEAD, whose response has no body.
  var asksForHead: Bool { withMethod { $0.isEqual(to: "HEAD") } }
  /// The request target as sent, including the query and without decoding.
  package var target: String { String(decoding: head.text[head.text.target], as: UTF8.self) }
  /// The target's path up to the first `?`, without decoding. Empty for an absolute form without a path.
  package var rawPath: String { String(decoding: head.rawPath, as: UTF8.self) }
  /// The decoded segments: `/` is `[]`, `/a/` is `["a", ""]`, `/a%2Fb` is `["a/b"]`. Never `.` or `..`, which are rejected.
  package var path: [String] { (0..<segments.count).map(segments.text) }
  /// The decoded segments as bytes.
  package var segments: RequestPath { RequestPath(head) }
  /// The decoded parameters in order, in the encoding of forms: `+` is a space (but not in the path), and `%2B` is a plus.
  package var query: [QueryItem] { head.target.query }
  /// The header fields in the order of arrival.
  package var headers: ReceivedHeaders { ReceivedHeaders(head) }
  /// The client's address without the port. An IPv4 client of an IPv6 socket has an IPv4 address.
  package var remoteAddress: String { head.remoteAddress }
  /// An id for logs and problems. Unique within this process, and across processes with high probability.
  package var id: String { head.id }

  /// The first value of a parameter of the query; `nil` if there is none.
  package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
