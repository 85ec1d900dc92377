/// The bounds of one exchange.
package struct TransferLimits: Hashable, Sendable {
  /// Bytes in a response's head, interim responses and trailers included.
  package var head: Int
  /// Bytes in a response's body, after decompression.
  package var body: Int
  /// Time until a connection is established, name resolution and TLS included.
  package var connect: Duration
  /// Time for the exchange as a whole; `nil`: no bound.
  package var whole: Duration?
  /// Time between two parts of a response; `nil`: no bound.
  package var idle: Duration?

  /// Bounds; a body has none unless it is given.
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
