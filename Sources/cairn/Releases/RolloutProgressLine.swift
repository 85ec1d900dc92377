import CairnCore
import Glibc

/// The progress of a rollout on stderr. A terminal shows one line with a bar, which is overwritten; other outputs get a line for each
/// change.
final class RolloutProgressLine {
  private let isTerminal: Bool
  private let write: (String) -> Void
  private var last = ""

  /// The width of the bar in characters.
  private static let width = 30

  init(isTerminal: Bool = isatty(STDERR_FILENO) == 1, write: @escaping (String) -> Void = { Terminal.complain(Array($0.utf8)) }) {
    self.isTerminal = isTerminal
    self.write = write
  }

  /// Writes the progress of a rollout, unless it has not changed. Returns whether sessions are still being moved.
  func show(_ rollout: Value) -> Bool {
    let text = Self.text(of: rollout, withBar: isTerminal)
    if text != last { write(isTerminal ? "\r\(text)\u{1B}[K" : "\(text)\n") }
    last = text
    return ["running", "reverting"].contains(rollout["state"]?.word)
  }

  /// Erases the line on a terminal.
  func end() {
    if isTerminal, !last.isEmpty { write("\r\u{1B}[K") }
  }

  private static func text(of rollout: Value, withBar: Bool) -> String {
    let state = rollout["state"]?.word ?? ""
    guard let progress = rollout["progress"], let total = number(progress["total"]), let left = number(progress["left"]) else {
      return "\(state): no session has been visited yet"
    }
    let done = max(0, total - left)
    let share = total > 0 ? min(width, done * width / total) : width
    let bar = withBar ? "[\(String(repeating: "#", count: share))\(String(repeating: ".", count: width - share))] " : ""
    let waiting = number(rollout["waiting"]).flatMap { $0 > 0 ? ", \($0) waiting for the condition in when" : nil } ?? ""
    let end = progress["expectedEnd"].flatMap(\.word).map { ", expected end at \($0)" } ?? ""
    return "\(bar)\(state): \(done) of \(CountText.of(total, "session")) visited\(waiting)\(end)"
  }

  private static func number(_ value: Value?) -> Int? {
    if case .integer(let number)? = value { Int(number) } else { nil }
  }
}
