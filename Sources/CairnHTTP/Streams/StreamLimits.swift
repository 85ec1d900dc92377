/// The limits of one stream, and its heartbeat.
package struct StreamLimits: Sendable {
  /// Maximum number of bytes that may be added while the client accepts no bytes. If the number is exceeded, the connection is closed.
  /// Bytes that were added while the client still accepted bytes do not count, so a single large piece is allowed.
  package var waiting = 256 << 10
  /// The bytes that are sent after `every` without traffic, so that proxies do not close the connection; `nil` for no heartbeat. The
  /// heartbeat may be late by a sixty-fourth of `every`.
  package var heartbeat: (bytes: [UInt8], every: Duration)? = (Array(":\n\n".utf8), .seconds(15))

  /// Creates the default limits for server-sent events, in which a line that begins with a colon is a comment.
  package init() {}
}
