/// A response. `Content-Length`, `Date` and `Connection` are added when it is sent; if the first two are given, they are replaced.
package struct Response: Sendable {
  /// From 200 to 599. Any other status is sent as 500.
  package var status: Int
  /// The header fields. If a name is not a token or a value contains control characters, a bare 500 is sent instead, and logged.
  package var headers: Headers
  /// The body. Omitted for HEAD, 204 and 304.
  package var body: [UInt8]

  /// A response with bytes.
  package init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A response with text. Its content type is placed before `headers`.
  package init(status: Int, text: String, type: String = "text/plain; charset=utf-8", headers: Headers = [:]) {
    var all: Headers = ["Content-Type": type]
    all.add(headers)
    self.init(status: status, headers: all, body: Array(text.utf8))
  }
}
