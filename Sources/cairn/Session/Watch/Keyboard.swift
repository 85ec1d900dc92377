import Foundation
import Glibc

/// Reads single keys from the terminal without echo. `restore` resets the terminal's settings.
final class Keyboard: Sendable {
  private let before: termios

  /// Changes the settings of the terminal. Returns `nil` if stdin is not a terminal.
  init?() {
    var settings = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    before = settings
    // Ctrl-C and Ctrl-Z are read as keys and send no signals, so that `restore` is always called.
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Calls `take` on a new thread with each key, and with `nil` at the end of the input.
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

  /// Restores the terminal's original settings.
  func restore() {
    var settings = before
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }
}
