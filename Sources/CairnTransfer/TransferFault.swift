/// Why an exchange did not complete. No address, header or body is in it.
package enum TransferFault: Error, Hashable, Sendable {
  /// The URL is not one of http or https.
  case address
  /// The request has a part that HTTP cannot carry: `method` or `header`.
  case unsendable(String)
  /// The name of the host could not be resolved.
  case unknownHost
  /// No connection could be established.
  case noConnection
  /// No connection was established within `TransferLimits.connect`.
  case connectTimeout
  /// No secure connection could be negotiated, or the certificate is not trusted.
  case notSecure
  /// The connection broke; `hasHead`: after the head of a response.
  case broken(hasHead: Bool)
  /// The exchange took longer than `TransferLimits.whole`, or was silent for `TransferLimits.idle`.
  case timeout
  /// The peer does not speak HTTP/1.1.
  case notHTTP
  /// The body is encoded in a way that was not asked for.
  case encoding
  /// The head is longer than the bound, in bytes.
  case headTooLarge(Int)
  /// The body is longer than the bound, in bytes.
  case bodyTooLarge(Int)
  /// `cancel` or `stop` was called, or the receiver wanted no more.
  case cancelled
  /// Any other reason, by the number that the transport gives it.
  case failed(Int)
}
