import Foundation
import Glibc

/// A terminal's keys, one by one and not shown; as they were again afterwards.
final class Keyboard: Sendable {
  private let before: termios

  /// nil: stdin is no terminal.
  init?() {
    var settings = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    before = settings
    // Ctrl-C and Ctrl-Z come as keys too: the terminal is put back by us, not left as it is.
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Calls on a thread of its own with each key; with nil when no more come.
  func read(_ take: @escaping @Sendable (UInt8?) -> Void) {
    Thread.detachNewThread {
      var key: UInt8 = 0
      while true {
        let count = Glibc.read(STDIN_FILENO, &key, 1)
        if count < 0, errno == EINTR { continue }
        guard count == 1 else { return take(nil) }
        take(key)
      }
    }
  }

  /// As it was.
  func restore() {
    var settings = before
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }
}
