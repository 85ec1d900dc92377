import Glibc

/// stdout and stderr, unbuffered: a reader of a pipe gets each line when it is printed.
enum Terminal {
  /// A line on stdout.
  static func print(_ line: String) { write(Array((line + "\n").utf8), to: STDOUT_FILENO) }

  /// Text on stdout as it is: what moves a cursor, and no line.
  static func show(_ text: String) { write(Array(text.utf8), to: STDOUT_FILENO) }

  /// A line on stderr, whole: one write, so that lines of several threads do not mix.
  static func complain(_ line: String) { complain(Array((line + "\n").utf8)) }

  /// Whole lines on stderr; returns when they are taken.
  static func complain(_ lines: [UInt8]) { write(lines, to: STDERR_FILENO) }

  /// Output that cannot be written (a closed pipe, a full disk) is dropped: there is no other channel to report it on.
  private static func write(_ text: [UInt8], to descriptor: Int32) {
    var bytes = text[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
