/// What one stream may take, and how it is kept alive.
package struct StreamLimits: Sendable {
  /// Bytes that may be put into it while its client takes nothing; one more and it is cut off. What was there before does not count, and so neither
  /// the first bytes nor one piece that is sent alone, however large.
  package var waiting = 256 << 10
  /// What is sent after so long a silence, so that whatever is between here and the client does not take it for dead; nil: nothing.
  /// It may come a sixty-fourth of that time later.
  package var heartbeat: (bytes: [UInt8], every: Duration)? = (Array(":\n\n".utf8), .seconds(15))

  /// The defaults: those of server-sent events, where a line that begins with a colon is a comment.
  package init() {}
}
