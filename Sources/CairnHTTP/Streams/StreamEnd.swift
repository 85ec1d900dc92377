/// The reason why a stream has ended.
package enum StreamEnd: Sendable, Equatable {
  /// The producer called `ByteStream.end`, and all earlier bytes have been sent.
  case ended
  /// The client has disconnected, or the connection has failed.
  case left
  /// The client read too slowly. The server closed the connection.
  case slow
  /// The server is stopping, or has stopped.
  case stopping
}
