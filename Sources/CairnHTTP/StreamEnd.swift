/// Why a stream is over.
package enum StreamEnd: Sendable, Equatable {
  /// What was put into it before `ByteStream.end` is sent.
  case ended
  /// Its client has left, or their connection has failed.
  case left
  /// Its client reads too slowly, and was cut off.
  case slow
  /// The server has stopped.
  case stopping
}
