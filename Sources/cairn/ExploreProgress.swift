import CairnRuntime
import Glibc

/// The progress of an exploration on stderr. A terminal shows one line that is overwritten; other outputs get a line every ten seconds.
final class ExploreProgress {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let start = Monotonic.now()
  private var last: UInt64

  /// The minimum number of nanoseconds between two lines.
  private var interval: UInt64 { isTerminal ? 200_000_000 : 10_000_000_000 }

  init() { last = start }

  /// Writes a line, unless the interval since the last one is too short.
  func tell(_ states: Int, _ transitions: Int, _ waiting: Int) {
    let now = Monotonic.now()
    guard now - last >= interval else { return }
    last = now
    let seconds = max(1, (now - start) / 1_000_000_000)
    let text = "\(states) states, \(transitions) moves, \(UInt64(transitions) / seconds) a second, \(waiting) states wait"
    if isTerminal { Terminal.complain(Array("\r\(text)   ".utf8)) } else { Terminal.complain("after \(seconds) s: \(text)") }
  }

  /// Erases the line on a terminal.
  func end() {
    if isTerminal, last > start { Terminal.complain(Array("\r\u{1B}[K".utf8)) }
  }
}
