/// The limits of one exchange. Exchanges over URLSession ignore `head` and `connect`.
package struct TransferLimits: Hashable, Sendable {
  /// The maximum number of bytes in the head of a response, including interim responses and trailers.
  package var head: Int
  /// The maximum number of bytes in the body of a response, after decompression.
  package var body: Int
  /// The maximum time until a connection is established, including name resolution and TLS.
  package var connect: Duration
  /// The maximum time of the whole exchange; `nil` for no limit.
  package var whole: Duration?
  /// The maximum time between two parts of a response; `nil` for no limit.
  package var idle: Duration?

  /// Creates limits. The size of the body is not limited by default.
  package init(
    head: Int = 64 << 10, body: Int = .max, connect: Duration = .seconds(5), whole: Duration? = nil, idle: Duration? = nil
  ) {
    self.head = head
    self.body = body
    self.connect = connect
    self.whole = whole
    self.idle = idle
  }
}
