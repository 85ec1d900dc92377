import CairnClient
import CairnCore
import Foundation

/// A session as lines: its title, its tree, the visible route, the items for which it waits, and the accepted actions.
struct SessionDrawing {
  let lines: [StyledLine]
  /// The index of the visible screen's line; `nil` if no screen is visible.
  private let visible: Int?

  /// Creates a drawing. `marks` are the nodes that differ from the previous drawing.
  init(_ session: SessionView, isUnicode: Bool, now: Date, marks: [NodeID: TreeDrawing.Mark] = [:]) {
    let text = SessionText(isUnicode: isUnicode, now: now)
    var lines = [Self.title(session), StyledLine()]
    let tree = TreeDrawing(isUnicode: isUnicode, visible: session.visible?.id, marks: marks)
    let nodes = tree.lines(session.tree)
    visible = tree.place(in: session.tree).map { lines.count + $0 }
    lines += nodes
    lines += [StyledLine(), StyledLine("at: \(text.route(session.stack))")]
    let facts = session.facts.sortedByKey.map { "\($0.key): \($0.value.shortText)" }
    if !facts.isEmpty { lines.append(StyledLine("facts: \(facts.joined(separator: ", "))")) }
    lines += session.pending.map { StyledLine("waits: \(text.text($0))", .yellow) }
    lines.append(StyledLine("accepts: \(SessionText.text(session.accepts))", .dim))
    self.lines = lines
  }

  /// Returns at most `room` lines, or all lines if `room` is not positive. The result includes the line of the visible screen. Notes state
  /// the number of omitted lines.
  func lines(room: Int) -> [StyledLine] {
    guard lines.count > room, room > 0 else { return lines }
    func note(_ count: Int, _ place: String) -> StyledLine { StyledLine("and \(CountText.of(count, "more line"))\(place)", .dim) }
    let last = visible ?? 0
    guard last >= room - 1 else { return lines.prefix(room - 1) + [note(lines.count - room + 1, "")] }
    // If there is room, the lines are the title, a note, the part of the tree that ends with the visible screen, and a note.
    guard room > 3 else { return Array(lines[(last - room + 1)...last]) }
    let first = last - (room - 4)
    return [lines[0], note(first - 1, " above")] + lines[first...last] + [note(lines.count - last - 1, "")]
  }

  private static func title(_ session: SessionView) -> StyledLine {
    var line = StyledLine(session.app, .bold)
    line.add("  \(session.id)  revision \(session.revision)  \(session.login.status.rawValue)")
    if let reason = session.login.reason { line.add(": \(reason)", .red) }
    if let label = session.label { line.add("  \"\(label)\"", .dim) }
    if session.now != nil { line.add("  manual clock", .dim) }
    return line
  }
}
