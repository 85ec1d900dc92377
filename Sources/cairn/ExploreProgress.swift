import CairnRuntime
import Glibc

/// Progress of an exploration on stderr: one line that is overwritten on a terminal, a line every ten seconds elsewhere.
final class ExploreProgress {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let start = Monotonic.now()
  private var last: UInt64

  /// Nanoseconds between two lines.
  private var interval: UInt64 { isTerminal ? 200_000_000 : 10_000_000_000 }

  init() { last = start }

  /// Writes a line if it is time for one.
  func tell(_ states: Int, _ transitions: Int, _ waiting: Int) {
    let now = Monotonic.now()
    guard now - last >= interval else { return }
    last = now
    let seconds = max(1, (now - start) / 1_000_000_000)
    let text = "\(states) states, \(transitions) moves, \(UInt64(transitions) / seconds) a second, \(waiting) states wait"
    if isTerminal { Terminal.complain(Array("\r\(text)   ".utf8)) } else { Terminal.complain("after \(seconds) s: \(text)") }
  }

  /// Takes the line of a terminal away.
  func end() {
    if isTerminal, last > start { Terminal.complain(Array("\r\u{1B}[K".utf8)) }
  }
}
