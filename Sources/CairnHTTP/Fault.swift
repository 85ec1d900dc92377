/// An error to which the HTTP server itself responds, before the handler runs or instead of the handler's response. The connection closes
/// after the response.
package enum Fault: Error, Sendable, Equatable {
  /// The request is malformed, for example its framing is ambiguous or its target cannot be decoded. `reason` may be shown to the client.
  case badRequest(reason: String)
  /// The body is, or is announced to be, longer than `limit` bytes.
  case payloadTooLarge(limit: Int)
  /// The request target is longer than `limit` bytes.
  case uriTooLong(limit: Int)
  /// The head needs more memory than `limit` bytes.
  case headTooLarge(limit: Int)
  /// A transfer coding other than chunked (RFC 9112 6.1).
  case unsupportedTransferCoding
  /// A protocol version other than HTTP/1.0 and HTTP/1.1.
  case unsupportedVersion
  /// The client's address already has `limit` open connections (`Limits.connectionsPerAddress`).
  case tooManyConnections(limit: Int)
  /// The server has had `Limits.connections` connections for longer than `Limits.fullPatience`, or the bodies in progress need more memory
  /// than `Limits.bodies`.
  case full
  /// The maximum number of streams, `limit`, is already open (`Limits.streams`).
  case tooManyStreams(limit: Int)
  /// The server is stopping. `retryAfter` is the number of seconds after which a retry makes sense.
  case stopping(retryAfter: Int)
  /// The handler returned `.later` and released its responder without a response.
  case abandoned

  /// The HTTP status of the response.
  package var status: Int {
    switch self {
    case .badRequest: 400
    case .payloadTooLarge: 413
    case .uriTooLong: 414
    case .headTooLarge: 431
    case .tooManyConnections: 429
    case .full, .tooManyStreams: 503
    case .unsupportedTransferCoding: 501
    case .unsupportedVersion: 505
    case .stopping: 503
    case .abandoned: 500
    }
  }
}

extension Fault {
  /// Creates the fault for the status with which libmicrohttpd would reject a request.
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
