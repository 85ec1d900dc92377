/// An error that this room finds by itself, before or instead of the handler. The connection closes after its response.
package enum Fault: Error, Sendable, Equatable {
  /// The framing is ambiguous or the target does not decode; `reason` is fit for the client.
  case badRequest(reason: String)
  /// The body is, or says it will be, longer than `limit` bytes.
  case payloadTooLarge(limit: Int)
  /// The request target is longer than `limit` bytes.
  case uriTooLong(limit: Int)
  /// The head, or the number of its fields, is larger than `limit` bytes have room for.
  case headTooLarge(limit: Int)
  /// A transfer coding other than chunked (RFC 9112 6.1).
  case unsupportedTransferCoding
  /// A protocol version other than HTTP/1.0 and HTTP/1.1.
  case unsupportedVersion
  /// The address has as many connections open as it may have.
  case tooManyConnections(limit: Int)
  /// There are as many connections as there may be, and have been for a while; or large bodies fill the memory for them.
  case full
  /// The server is going down; seconds until a new try makes sense.
  case stopping(retryAfter: Int)
  /// The handler said "later" and let its responder go without a response.
  case abandoned

  /// The status that fits.
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
  /// The fault that a response of libmicrohttpd's own stands for.
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
