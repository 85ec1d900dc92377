/// What this room finds wrong by itself, before or instead of the handler. The connection closes after its answer.
package enum Fault: Error, Sendable, Equatable {
  /// The framing is ambiguous or the target does not decode; `reason` is fit for the client.
  case badRequest(reason: String)
  /// The body is, or says it will be, longer than `limit` bytes.
  case payloadTooLarge(limit: Int)
  /// The request target is longer than `limit` bytes.
  case uriTooLong(limit: Int)
  /// A transfer coding other than chunked (RFC 9112 6.1).
  case unsupportedTransferCoding
  /// A protocol version other than HTTP/1.0 and HTTP/1.1.
  case unsupportedVersion
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
    case .unsupportedTransferCoding: 501
    case .unsupportedVersion: 505
    case .stopping: 503
    case .abandoned: 500
    }
  }
}
