import CairnCore

/// A session's history as a scenario file: the posted actions, the results of the session's requests, and the time that passes between
/// them.
package struct HistoryScenario: Sendable {
  private var given: [(name: String, text: String)] = []
  private var steps: [Step] = []
  private var now = 0
  private var start = ""
  private var last: Happening?
  /// The hash of the definition with which the session began, if the session has moved to another definition since then; otherwise `nil`.
  private var oldDefinition: String?
  /// Whether the session's definition compares the time with moments or times of day, so that the scenario must start at the time of the session.
  private let comparesTime: Bool
  /// The reason why no scenario can express the history; `nil` if a scenario can express it.
  package private(set) var obstacle: String?

  private struct Step {
    var when: [String]
    var visible: String
  }

  package init(comparesTime: Bool = false) { self.comparesTime = comparesTime }

  /// Appends the next entry of the history.
  package mutating func add(_ happening: Happening) {
    let visible = YAMLText.scalar(happening.visible ?? "nothing")
    last = happening
    // A scenario has no client that a held action could wait for. If the user had not seen the nodes on top, it is unknown which entries
    // the user had missed.
    if happening.isHeld { obstacle = "an action waits for the clients, of which a scenario has only one without a network" }
    if happening.isUnderCovers { obstacle = "a client had no network, and its user acted without having seen what others had put on top" }
    guard !start.isEmpty else {
      given = happening.given
      now = happening.time
      if comparesTime { given.append(("at", YAMLText.quoted(Timestamp.text(now)))) }
      start = visible
      switch happening.replacement {
      case .scenario(let name)?: obstacle = "the session started at the end of the scenario \"\(name)\""
      case .some: obstacle = "the session started as a copy of another session"
      case nil: break
      }
      return
    }
    let wait = max(0, happening.time - now)
    now += wait
    var when = wait > 0 ? ["{ advance: \(wait)ms }"] : []
    let said = happening.replacement.flatMap { words(for: $0) } ?? happening.when
    if let said { when.append(said) }
    if when.isEmpty {
      // This entry needs no line of its own, because the previous lines also cause it.
      if steps.isEmpty { start = visible } else { steps[steps.count - 1].visible = visible }
    } else {
      steps.append(Step(when: when, visible: visible))
    }
  }

  /// Returns the line for a state that no action produced; `nil` if the state needs no line, or if a scenario cannot express it
  /// (`obstacle`).
  private mutating func words(for replacement: Entry.Replacement) -> String? {
    switch replacement {
    case .migrated(let old, _):
      if oldDefinition != nil { obstacle = "the session moved to another definition more than once" }
      oldDefinition = oldDefinition ?? old
      return "migrate"
    case .undone:
      // A scenario could not name the revision that was restored, because a scenario's revisions differ from the session's.
      obstacle = "the session was restored to an earlier revision"
      return nil
    case .imported:
      obstacle = "the session was imported without its secrets"
      return nil
    case .forked, .scenario: return nil
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
