/// One answer. `Content-Length`, `Date` and `Connection` are added when it is sent; given here, the first two are left out.
package struct Response: Sendable {
  /// 200 to 599; anything else is sent as 500.
  package var status: Int
  /// Names must be tokens and values free of control characters; a response that breaks this is sent as a bare 500, and logged.
  package var headers: Headers
  /// Sent as it is; left out by the library for HEAD, 204 and 304.
  package var body: [UInt8]

  /// An answer of bytes.
  package init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer of text, with its content type in front of `headers`.
  package init(status: Int, text: String, type: String = "text/plain; charset=utf-8", headers: Headers = [:]) {
    var all: Headers = ["Content-Type": type]
    all.add(headers)
    self.init(status: status, headers: all, body: Array(text.utf8))
  }
}
