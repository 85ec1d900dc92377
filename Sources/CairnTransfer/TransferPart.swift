/// A part of a response, in the order of arrival: the head, bytes of the body, the end.
package enum TransferPart: Sendable {
  /// Status and headers of the final response.
  case head(TransferHead)
  /// Bytes of the body, decompressed.
  case bytes([UInt8])
  /// The last part; `nil`: the response is complete.
  case end(TransferFault?)
}

/// The head of a response.
package struct TransferHead: Hashable, Sendable {
  package var status: Int
  /// By name in lower case; repeated ones are joined with commas (RFC 9110, 5.3).
  package var headers: [String: String]

  /// A head with the given parts.
  package init(status: Int, headers: [String: String] = [:]) {
    self.status = status
    self.headers = headers
  }
}
