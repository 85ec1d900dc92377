/// The limits of one stream, and its heartbeat.
package struct StreamLimits: Sendable {
  /// Bytes that may be put into it while its client takes nothing; one more and it is cut off. Earlier bytes do not count, so neither do
  /// the first bytes nor a single piece, however large.
  package var waiting = 256 << 10
  /// The bytes that are sent after a silence, so that proxies in between do not consider it dead; `nil`: none.
  /// They may be late by a sixty-fourth of that time.
  package var heartbeat: (bytes: [UInt8], every: Duration)? = (Array(":\n\n".utf8), .seconds(15))

  /// The defaults: those of server-sent events, where a line that begins with a colon is a comment.
  package init() {}
}
