import CairnClient
import CairnCore

/// Prints the session's state at the start and after each reset, and one line for each change.
struct WatchLines: Watching {
  let needsSession = false
  private let report: SessionReport
  private var live: LiveTree

  init(_ session: SessionView, _ report: SessionReport) {
    self.report = report
    live = LiveTree(session)
    print(session)
  }

  mutating func show(_ event: SessionEvent, _ session: SessionView?) {
    switch event {
    case .connected: break
    case .reset(let session):
      live = LiveTree(session)
      print(session)
    case .change(let entry):
      let before = live.tree
      let fits = live.play(entry)
      var line = EntryLine.of(entry, ChangeText(before, live.tree))
      line.add(fits ? "  \(live.tree.sketch)" : "", .dim)
      report.print(line)
    case .interrupted(let error): Terminal.complain("cairn: \(PrintableText.of(error.text)); reconnecting")
    case .ended(let reason): report.print(StyledLine("ended: \(reason.rawValue)"))
    }
  }

  mutating func tick() {}

  mutating func end() {}

  private func print(_ session: SessionView) {
    var line = StyledLine("\(session.revision)", .bold)
    line.add("  \(session.app)  \(session.tree.sketch)")
    report.print(line)
  }
}
