import CairnClient
import CairnCore
import Foundation
import Glibc

/// Draws the session on a terminal, and redraws it at each change and each second.
struct WatchScreen: Watching {
  let needsSession = true
  private var style: DrawingStyle
  private var view: SessionView
  private var live: LiveTree
  private var marks: [NodeID: TreeDrawing.Mark] = [:]
  private var last: StyledLine?
  private var state: StyledLine?
  private var ended: SessionEvent.EndReason?

  /// Switches to the terminal's alternate screen. `end` switches back to the previous content.
  init(_ session: SessionView, style: DrawingStyle) {
    self.style = style
    view = session
    live = LiveTree(session)
    state = "connecting"
    Self.write("\u{1B}[?1049h\u{1B}[?25l")
    draw()
  }

  mutating func show(_ event: SessionEvent, _ session: SessionView?) {
    switch event {
    case .connected: state = StyledLine("live", .green)
    case .reset(let session): take(session)
    case .change(let entry):
      let before = live.tree
      if live.play(entry) {
        marks = TreeDrawing.marks(from: before, to: live.tree)
        (view.tree, view.revision) = (live.tree, live.revision)
        last = EntryLine.of(entry, ChangeText(before, live.tree))
      } else {
        last = EntryLine.of(entry)
      }
      if let session, session.revision >= live.revision { take(session) }
    case .interrupted(let error): state = StyledLine("not connected (\(error.text)), reconnecting", .red)
    case .ended(let reason):
      ended = reason
      state = StyledLine("ended: \(reason.rawValue)", .yellow)
    }
    draw()
  }

  /// Adopts a state that the service has sent. If its revision is newer, marks the nodes that differ from the shown tree.
  private mutating func take(_ session: SessionView) {
    if session.revision > live.revision { marks = TreeDrawing.marks(from: live.tree, to: session.tree) }
    view = session
    live = LiveTree(session)
  }

  mutating func tick() { draw() }

  /// Switches back to the main screen and prints the last drawing there.
  mutating func end() {
    Self.write("\u{1B}[?25h\u{1B}[?1049l")
    // The state of the connection is shown only while the watch runs.
    if ended == nil { state = nil }
    for line in lines(rows: .max) { Terminal.print(line) }
  }

  private func draw() {
    let rows = TerminalSize.of(STDOUT_FILENO)?.rows ?? 24
    Self.write("\u{1B}[H" + lines(rows: rows).map { "\u{1B}[K" + $0 }.joined(separator: "\r\n") + "\u{1B}[J")
  }

  /// Returns the lines of the screen. If there are more lines than rows, the drawing is cut, but the visible screen is always shown.
  private func lines(rows: Int) -> [String] {
    var style = style
    style.width = TerminalSize.of(STDOUT_FILENO)?.columns ?? style.width
    let drawing = SessionDrawing(view, isUnicode: style.isUnicode, now: view.now ?? Date(), marks: marks)
    var foot = [last, state].compactMap(\.self)
    if rows < .max { foot.append(StyledLine("press q to quit", .dim)) }
    let lines = drawing.lines(room: max(1, rows - foot.count - 1))
    return (lines + [""] + foot).prefix(rows).map { $0.text(style) }
  }

  private static func write(_ text: String) { Terminal.show(text) }
}
