import CairnRuntime
import Glibc

/// One line on a terminal that tells how far an exploration is; nothing where the output is no terminal.
final class ExploreProgress {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let start = Monotonic.now()
  private var last: UInt64 = 0

  /// Writes the line anew, at most five times a second.
  func tell(_ states: Int, _ transitions: Int, _ waiting: Int) {
    let now = Monotonic.now()
    guard isTerminal, now - last >= 200_000_000 else { return }
    last = now
    let seconds = max(1, (now - start) / 1_000_000_000)
    let text = "\r\(states) states, \(transitions) moves, \(UInt64(transitions) / seconds) a second, \(waiting) states wait   "
    Terminal.complain(Array(text.utf8))
  }

  /// Takes the line away.
  func end() {
    if isTerminal, last > 0 { Terminal.complain(Array("\r\u{1B}[K".utf8)) }
  }
}
