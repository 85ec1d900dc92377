import Glibc

/// The bytes of the last response of a connection: status line, fields and body. `Content-Length`, if present, matches the body.
/// `Connection: close` is always present.
enum AnswerText {
  /// Returns the bytes of a response with its `Content-Length`. `hasBody` is `false` for a response to HEAD, whose body is omitted.
  static func bytes(_ response: Response, hasBody: Bool) -> [UInt8] {
    head(response, "Content-Length: \(response.body.count)\r\n") + (hasBody ? response.body : [])
  }

  /// Returns the bytes of a response without `Content-Length`. The end of the connection marks the end of this response.
  static func opening(_ response: Response, hasBody: Bool) -> [UInt8] { head(response, "") + (hasBody ? response.body : []) }

  private static func head(_ response: Response, _ length: String) -> [UInt8] {
    Array("HTTP/1.1 \(response.status) \(phrase(response.status))\r\n".utf8) + response.headers.lines
      + Array("Date: \(HTTPDate.text(time(nil)))\r\n\(length)Connection: close\r\n\r\n".utf8)
  }

  /// The reason phrase of a status, for human readers only (RFC 9110, 15).
  private static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 400: "Bad Request"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Refused"
    }
  }
}
