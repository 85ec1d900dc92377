/// An error that CairnHTTP detects, before or instead of the handler. The connection closes after the response.
package enum Fault: Error, Sendable, Equatable {
  /// The framing is ambiguous, or the target cannot be decoded. `reason` may be sent to the client.
  case badRequest(reason: String)
  /// The body exceeds `limit` bytes, or its announced length does.
  case payloadTooLarge(limit: Int)
  /// The request target is longer than `limit` bytes.
  case uriTooLong(limit: Int)
  /// The head exceeds `limit` bytes, or has too many fields.
  case headTooLarge(limit: Int)
  /// A transfer coding other than chunked (RFC 9112 6.1).
  case unsupportedTransferCoding
  /// A protocol version other than HTTP/1.0 and HTTP/1.1.
  case unsupportedVersion
  /// The address has the maximum number of connections open.
  case tooManyConnections(limit: Int)
  /// The maximum number of connections has been open for a while, or large bodies fill their memory.
  case full
  /// The server is stopping. The number is the seconds after which a retry makes sense.
  case stopping(retryAfter: Int)
  /// The handler promised a response and released its responder without one.
  case abandoned

  /// The status of the response.
  package var status: Int {
    switch self {
    case .badRequest: 400
    case .payloadTooLarge: 413
    case .uriTooLong: 414
    case .headTooLarge: 431
    case .tooManyConnections: 429
    case .full: 503
    case .unsupportedTransferCoding: 501
    case .unsupportedVersion: 505
    case .stopping: 503
    case .abandoned: 500
    }
  }
}

extension Fault {
  /// The fault that corresponds to a response of libmicrohttpd.
  init(libraryStatus status: Int, _ limits: Limits) {
    self =
      switch status {
      case 413: .payloadTooLarge(limit: limits.body)
      case 414: .uriTooLong(limit: limits.target)
      case 431: .headTooLarge(limit: limits.memoryPerConnection)
      case 501: .unsupportedTransferCoding
      case 505: .unsupportedVersion
      default: .badRequest(reason: "the request line, a header or the body's framing is malformed")
      }
  }
}
