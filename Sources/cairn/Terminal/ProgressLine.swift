import CairnCore
import CairnRuntime
import Glibc

/// The progress of a command on stderr: one line that is overwritten on a terminal, and finally erased. Other outputs get nothing, or a
/// line for each change. Not safe for concurrent use.
final class ProgressLine {
  /// Whether the output is a terminal, where the line is overwritten.
  let isTerminal: Bool
  private let hasLinesElsewhere: Bool
  private let interval: UInt64
  private let columns: () -> Int?
  private let now: () -> UInt64
  private let write: (String) -> Void
  private let start: UInt64
  /// The time of the last line.
  private var time: UInt64
  private var last = ""

  /// The width of the bar in characters.
  private static let width = 30

  /// Creates a line that is not shown yet. With `hasLinesElsewhere`, outputs other than a terminal get a line for each change. `interval`
  /// is the minimum time in nanoseconds before the first line and between two lines on a terminal. `columns` returns the width of the
  /// terminal, and `now` the current time in nanoseconds.
  init(
    isTerminal: Bool = isatty(STDERR_FILENO) == 1, hasLinesElsewhere: Bool = false, interval: UInt64 = 200_000_000,
    columns: @escaping () -> Int? = { TerminalSize.of(STDERR_FILENO)?.columns }, now: @escaping () -> UInt64 = Monotonic.now,
    write: @escaping (String) -> Void = { Terminal.complain(Array($0.utf8)) }
  ) {
    (self.isTerminal, self.hasLinesElsewhere, self.interval) = (isTerminal, hasLinesElsewhere, interval)
    (self.columns, self.now, self.write) = (columns, now, write)
    start = now()
    time = start
  }

  /// The time since the creation in seconds, at least 1.
  var seconds: Int { max(1, Int((now() - start) / 1_000_000_000)) }

  /// Writes a text, unless it has not changed or the interval is too short. If `total` is given, a bar that shows `done` as a share of
  /// `total` precedes the text on a terminal.
  func show(_ text: @autoclosure () -> String, done: Int = 0, of total: Int? = nil) {
    guard isTerminal else {
      if hasLinesElsewhere { change(to: text()) { "\($0)\n" } }
      return
    }
    let now = self.now()
    guard now - time >= interval else { return }
    time = now
    let line = (total.map { Self.bar(done, of: $0) } ?? "") + text()
    // A line that is wider than the terminal would continue on the next row, which is not overwritten.
    change(to: columns().map { PrintableText.prefix(line, columns: $0 - 1) } ?? line) { "\r\($0)\u{1B}[K" }
  }

  /// Erases the line on a terminal.
  func end() {
    if isTerminal, !last.isEmpty { write("\r\u{1B}[K") }
    last = ""
  }

  private func change(to text: String, _ written: (String) -> String) {
    if text != last { write(written(text)) }
    last = text
  }

  private static func bar(_ done: Int, of total: Int) -> String {
    let share = total > 0 ? min(width, done * width / total) : width
    return "[\(String(repeating: "#", count: share))\(String(repeating: ".", count: width - share))] "
  }
}
