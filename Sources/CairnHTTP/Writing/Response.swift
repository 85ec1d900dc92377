/// One response. The server adds `Content-Length`, `Date` and `Connection` when it sends the response. It ignores these fields and
/// `Transfer-Encoding` in `headers`, except that `Connection: close` closes the connection after the response.
package struct Response: Sendable {
  /// The status, from 200 to 599. Any other value is sent as 500.
  package var status: Int
  /// The header fields. A response with an illegal name or value is logged and replaced by a 500 without a body.
  package var headers: Headers
  /// The body. Not sent in response to HEAD or with the statuses 204 and 304.
  package var body: [UInt8]

  /// Creates a response with a body of bytes.
  package init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a response with a text as its body. `Content-Type` precedes `headers`.
  package init(status: Int, text: String, type: String = "text/plain; charset=utf-8", headers: Headers = [:]) {
    var all: Headers = ["Content-Type": type]
    all.add(headers)
    self.init(status: status, headers: all, body: Array(text.utf8))
  }
}
