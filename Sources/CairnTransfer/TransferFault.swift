/// The reason why an exchange did not complete. It contains no address, header or body.
package enum TransferFault: Error, Hashable, Sendable {
  /// The URL is invalid, or its scheme is not http or https.
  case address
  /// The request has a part that HTTP cannot represent: `method` or `header`.
  case unsendable(String)
  /// The name of the host could not be resolved.
  case unknownHost
  /// No connection could be established.
  case noConnection
  /// No connection was established within `TransferLimits.connect`.
  case connectTimeout
  /// No secure connection could be negotiated, or the certificate is not trusted.
  case notSecure
  /// The connection was lost. `hasHead` is whether the head of the response had been received.
  case broken(hasHead: Bool)
  /// The exchange took longer than `TransferLimits.whole`, or was silent for `TransferLimits.idle`.
  case timeout
  /// The peer does not speak HTTP/1.1.
  case notHTTP
  /// The response has a content or transfer coding that is not supported, or its body cannot be decoded.
  case encoding
  /// The head exceeds the limit, which is given in bytes.
  case headTooLarge(Int)
  /// The body exceeds the limit, which is given in bytes.
  case bodyTooLarge(Int)
  /// `cancel` or `stop` was called, or the receiver returned `false`.
  case cancelled
  /// Another error, with the transport's number.
  case failed(Int)
}
