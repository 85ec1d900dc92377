import CairnCore

/// A session's history as a scenario file: the posted actions, the results from outside, and the time that passes between them.
package struct HistoryScenario: Sendable {
  private var given: [(name: String, text: String)] = []
  private var steps: [Step] = []
  private var now = 0
  private var start = ""
  private var last: Happening?
  /// The hash of the definition with which the session began, if it has moved to another one.
  private var oldDefinition: String?
  /// The newest revision of the scenario. A line that advances the clock makes one that a session with the clock of the machine does not have.
  private var newest = 1
  /// The revisions of the scenario, by those of the session.
  private var revisions: [Int: Int] = [:]
  /// The reason why no scenario can express the history; `nil` if one can.
  package private(set) var obstacle: String?

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
      revisions[happening.revision] = 1
      if happening.replacement != nil { obstacle = "the session began as a copy of another one" }
      return
    }
    let wait = max(0, happening.time - now)
    now += wait
    var when = wait > 0 ? ["{ advance: \(wait)ms }"] : []
    let said = happening.replacement.flatMap { words(for: $0) } ?? happening.when
    note(happening, isAdvanced: wait > 0, isSaid: said != nil)
    if let said { when.append(said) }
    if when.isEmpty {
      // No line is needed: the previous lines also cause this entry.
      if steps.isEmpty { start = visible } else { steps[steps.count - 1].visible = visible }
    } else {
      steps.append(Step(when: when, visible: visible))
    }
  }

  /// Notes the scenario's revision of an entry. `isAdvanced` is whether a line advances the clock before it, and `isSaid` is whether it has a line of its
  /// own.
  private mutating func note(_ happening: Happening, isAdvanced: Bool, isSaid: Bool) {
    if isSaid {
      newest += isAdvanced ? 2 : 1
      revisions[happening.revision] = newest
    } else if happening.isAdvance {
      // A timer at the same time has advanced the clock already.
      if isAdvanced { newest += 1 }
      revisions[happening.revision] = newest
    } else {
      // The entry of a timer comes before that of the advance that causes it.
      newest += isAdvanced ? 2 : 1
      revisions[happening.revision] = newest - 1
    }
  }

  /// The line of a state that no action led to.
  private mutating func words(for replacement: Entry.Replacement) -> String? {
    switch replacement {
    case .migrated(let old, _):
      if oldDefinition != nil { obstacle = "the session moved to another definition more than once" }
      oldDefinition = oldDefinition ?? old
      return "migrate"
    case .undone(let revision, _):
      return revisions[revision].map { "{ undo: \($0) }" }
    case .forked: return nil
    }
  }

  /// The text of the file. `app` is the definition's name, `title` is the scenario's name, and `notes` are comments at the top of the file.
  package func text(app: String, title: String, notes: [String]) -> String {
    var lines = notes.map { "# \($0)" }
    lines.append("app: \(app).yaml")
    var given = given
    if let oldDefinition {
      let file = "\(app)-\(oldDefinition.prefix(12)).yaml"
      lines.insert(
        "# The session moved. Save its first definition, \(oldDefinition), as \(file), and the migration as \(app).migrate.yaml.", at: 0)
      lines.append("migration: \(app).migrate.yaml")
      given.insert(("definition", file), at: 0)
    }
    lines += ["scenarios:", "  - name: \(YAMLText.quoted(title))"]
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
