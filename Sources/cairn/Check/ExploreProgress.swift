import CairnCore
import CairnRuntime
import Glibc

/// The progress of an exploration: one line on stderr that is overwritten. Nothing is written if stderr is not a terminal.
final class ExploreProgress {
  private let isTerminal: Bool
  private let now: () -> UInt64
  private let write: ([UInt8]) -> Void
  private let start: UInt64
  private var last: UInt64

  /// The minimum interval between two lines, in nanoseconds.
  private let interval: UInt64 = 200_000_000

  /// Creates the progress. `now` returns the current time in nanoseconds.
  init(
    isTerminal: Bool = isatty(STDERR_FILENO) == 1, now: @escaping () -> UInt64 = Monotonic.now,
    write: @escaping ([UInt8]) -> Void = Terminal.complain
  ) {
    (self.isTerminal, self.now, self.write) = (isTerminal, now, write)
    start = now()
    last = start
  }

  /// Writes a line, unless the interval since the last one is too short.
  func show(_ states: Int, _ transitions: Int, _ waiting: Int) {
    let now = self.now()
    guard isTerminal, now - last >= interval else { return }
    last = now
    let seconds = max(1, (now - start) / 1_000_000_000)
    let counts = "\(CountText.of(states, "state")), \(CountText.of(transitions, "move"))"
    let text = "\(counts), \(UInt64(transitions) / seconds) per second, \(CountText.of(waiting, "state")) left"
    write(Array("\r\(text)   ".utf8))
  }

  /// Erases the line on a terminal.
  func end() {
    if isTerminal, last > start { write(Array("\r\u{1B}[K".utf8)) }
  }
}
