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

  /// As sent, a token, case kept: `GET` and `get` differ (RFC 9110 9.1).
  package let method: String
  /// The request target as sent, query included, not decoded.
  package let target: String
  /// The target up to its first `?`, not decoded.
  package let rawPath: String
  /// The decoded segments: `/` is `[]`, `/a/` is `["a", ""]`, `/a%2Fb` is `["a/b"]`. Never `.` or `..`, which are refused.
  package let path: [String]
  /// The decoded pairs in order, as a form encodes them: `+` is a space here (never in the path), `%2B` a plus.
  package let query: [QueryItem]
  /// As sent, in order.
  package let headers: Headers
  /// The whole body, chunks joined; empty in what `fault` and a request without one get.
  package internal(set) var body: [UInt8]
  /// The peer's address without its port; an IPv4 peer of an IPv6 socket reads as IPv4.
  package let remoteAddress: String
  /// Unique within this process, and across processes with high probability; for logs and problems.
  package let id: String

  /// A request as given, for the room itself and for tests of what answers requests.
  package init(
    method: String, target: String, rawPath: String? = nil, path: [String] = [], query: [QueryItem] = [],
    headers: Headers = [:], body: [UInt8] = [], remoteAddress: String = "", id: String = ""
  ) {
    self.method = method
    self.target = target
    self.rawPath = rawPath ?? String(target.prefix { $0 != "?" })
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
    self.id = id
  }

  /// The first value of that name in the query, or nil.
  package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
