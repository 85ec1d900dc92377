import Glibc

/// Writes to stdout and stderr without a buffer, so that the reader of a pipe receives each line immediately.
enum Terminal {
  /// Prints a line on stdout.
  static func print(_ line: String) { write(Array((line + "\n").utf8), to: STDOUT_FILENO) }

  /// Writes text to stdout unchanged and without a line break, for example to move the cursor.
  static func show(_ text: String) { write(Array(text.utf8), to: STDOUT_FILENO) }

  /// Prints a line on stderr with a single write, so that lines of several threads do not mix. On a terminal, the program's name at the
  /// beginning is red.
  static func complain(_ line: String) {
    let name = "cairn:"
    let isRed = line.hasPrefix(name) && DrawingStyle.hasColour(on: STDERR_FILENO)
    let text = isRed ? StyledLine.Colour.red.paint(name) + line.dropFirst(name.count) : line
    complain(Array((text + "\n").utf8))
  }

  /// Prints diagnostics on stdout, such as `file:1:2: error: message`. On a terminal, the words `error` and `warning` are coloured.
  static func print(diagnostics text: String) { print(DiagnosticText.printed(text, hasColour: DrawingStyle.hasColour(on: STDOUT_FILENO))) }

  /// Writes complete lines to stderr, and returns after they have been written.
  static func complain(_ lines: [UInt8]) { write(lines, to: STDERR_FILENO) }

  /// Writes all bytes. Output that cannot be written (a closed pipe, a full disk) is dropped, because there is no other channel on which to
  /// report the error.
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
