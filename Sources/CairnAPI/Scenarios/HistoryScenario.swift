/// A session's history as a scenario file: the posted actions, the results from outside, and the time that passes between them.
package struct HistoryScenario: Sendable {
  private var given: [(name: String, text: String)] = []
  private var steps: [Step] = []
  private var now = 0
  private var start = ""
  private var last: Happening?

  private struct Step {
    var when: [String]
    var visible: String
  }

  package init() {}

  /// Appends the next entry of the history.
  package mutating func add(_ happening: Happening) {
    let visible = YAMLText.scalar(happening.visible ?? "nothing")
    last = happening
    guard !start.isEmpty else {
      given = happening.given
      now = happening.time
      start = visible
      return
    }
    let wait = max(0, happening.time - now)
    now += wait
    var when = wait > 0 ? ["{ advance: \(wait)ms }"] : []
    if let said = happening.when { when.append(said) }
    if when.isEmpty {
      // No line is needed: the previous lines also cause this entry.
      if steps.isEmpty { start = visible } else { steps[steps.count - 1].visible = visible }
    } else {
      steps.append(Step(when: when, visible: visible))
    }
  }

  /// The text of the file. `app` is the definition's name, `title` is the scenario's name, and `notes` are comments at the top of the file.
  package func text(app: String, title: String, notes: [String]) -> String {
    var lines = notes.map { "# \($0)" }
    lines += ["app: \(app).yaml", "scenarios:", "  - name: \(YAMLText.quoted(title))"]
    if !given.isEmpty {
      lines.append("    given:")
      lines += given.map { "      \($0.name): \($0.text)" }
    }
    lines.append("    steps:")
    lines.append("      - then: \(then(start, isLast: steps.isEmpty))")
    for (index, step) in steps.enumerated() {
      let when = step.when.count == 1 ? step.when[0] : "[\(step.when.joined(separator: ", "))]"
      lines.append("      - when: \(when)")
      lines.append("        then: \(then(step.visible, isLast: index == steps.count - 1))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func then(_ visible: String, isLast: Bool) -> String {
    var members = [(name: "visible", text: visible)]
    if isLast, let tree = last?.tree { members.append(("tree", YAMLText.quoted(tree))) }
    return YAMLText.flow(members)
  }
}
