/// A part of a response, in the order of arrival: the head, bytes of the body, the end.
package enum TransferPart: Sendable {
  /// Status and headers of the final response.
  case head(TransferHead)
  /// Decompressed bytes of the body.
  case bytes([UInt8])
  /// The last part. The fault is `nil` if the response is complete.
  case end(TransferFault?)
}

/// The head of a response.
package struct TransferHead: Hashable, Sendable {
  package var status: Int
  /// The headers by name in lower case. The values of repeated headers are joined with commas (RFC 9110, 5.3).
  package var headers: [String: String]

  /// Creates a head.
  package init(status: Int, headers: [String: String] = [:]) {
    self.status = status
    self.headers = headers
  }
}
