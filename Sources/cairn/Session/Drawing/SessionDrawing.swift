import CairnClient
import CairnCore
import Foundation

/// A session as lines: which it is, its tree, where it is, what it waits for and what it accepts.
struct SessionDrawing {
  let lines: [StyledLine]

  /// `marks`: what is different in the tree.
  init(_ session: SessionView, isUnicode: Bool, now: Date, marks: [NodeID: TreeDrawing.Mark] = [:]) {
    let text = SessionText(isUnicode: isUnicode, now: now)
    var lines = [Self.title(session), StyledLine()]
    lines += TreeDrawing(isUnicode: isUnicode, visible: session.visible?.id, marks: marks).lines(session.tree)
    lines += [StyledLine(), StyledLine("at: \(text.route(session.stack))")]
    let facts = session.facts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shortText)" }
    if !facts.isEmpty { lines.append(StyledLine("facts: \(facts.joined(separator: ", "))")) }
    lines += session.pending.map { StyledLine("waits: \(text.text($0))", .yellow) }
    lines.append(StyledLine("accepts: \(SessionText.text(session.accepts))", .dim))
    self.lines = lines
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
