/// The limits of one stream, and its heartbeat.
package struct StreamLimits: Sendable {
  /// The maximum number of bytes that are queued after the client has stopped reading. Beyond it the stream is cut. Bytes queued before do not count,
  /// nor does a single part, however large.
  package var waiting = 256 << 10
  /// The bytes that are sent after a silence, so that proxies keep the connection open; `nil` for none. They may be late by a sixty-fourth of the
  /// interval.
  package var heartbeat: (bytes: [UInt8], every: Duration)? = (Array(":\n\n".utf8), .seconds(15))

  /// Creates the defaults, which are those of server-sent events: a line that begins with a colon is a comment.
  package init() {}
}
