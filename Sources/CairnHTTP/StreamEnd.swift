/// The reason why a stream has ended.
package enum StreamEnd: Sendable, Equatable {
  /// The producer called `ByteStream.end`; earlier bytes are sent.
  case ended
  /// Its client has left, or their connection has failed.
  case left
  /// Its client reads too slowly, and was cut off.
  case slow
  /// The server has stopped.
  case stopping
}
