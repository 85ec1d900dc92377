import CairnCore

extension Scenario {
  /// The results of the occurrences since the last expectation.
  private struct Progress {
    var last: Played
    var events: [Played.Event]
    var changes: [String]
  }

  /// Plays the scenario from its start, which may be the end of another scenario. Returns the first failure, or `nil` if the scenario passed.
  package func play(on player: inout some Player) -> ScenarioFailure? {
    do {
      let start = try player.start(given)
      // The events of the start belong to the first expectation only if no occurrence precedes it.
      let isQuiet = (before + steps).first?.occurrences.isEmpty == false
      var progress = Progress(last: start, events: isQuiet ? [] : start.events, changes: isQuiet ? [] : start.changes)
      if let after {
        if let failure = try play(before, on: &player, &progress) {
          let reason = "the scenario \(after), from whose end this one starts, fails on line \(failure.line)"
          return ScenarioFailure(line: line, differences: [reason] + failure.differences)
        }
        (progress.events, progress.changes, progress.last.refusal) = ([], [], nil)
      }
      return try play(steps, on: &player, &progress)
    } catch let refusal as Played.Refusal {
      var hints = NameHints(player.definition)
      hints.add(given)
      return ScenarioFailure(line: line, differences: ["the session cannot start: \(refusal.detail)"] + hints.texts)
    } catch {
      return ScenarioFailure(line: line, differences: ["\(error)"])
    }
  }

  /// Plays steps on a session that has started. Returns the first failure, or `nil` if there is none. Throws the errors of the player.
  private func play(_ steps: [Step], on player: inout some Player, _ progress: inout Progress) throws -> ScenarioFailure? {
    for step in steps {
      for occurrence in step.occurrences {
        // Only the last occurrence before an expectation may be refused, because the expectation concerns that refusal.
        if let refusal = progress.last.refusal {
          return failure(of: step, ["refused: \(refusal.code), \(refusal.detail)"], player.definition)
        }
        progress.last = try player.play(occurrence)
        progress.events += progress.last.events
        progress.changes += progress.last.changes
      }
      guard let expectation = step.expectation else { continue }
      let differences = expectation.differences(
        from: try player.look(), last: progress.last, events: progress.events, changes: progress.changes)
      if !differences.isEmpty { return failure(of: step, differences, player.definition) }
      (progress.events, progress.changes, progress.last.refusal) = ([], [], nil)
    }
    return nil
  }

  /// The failure of a step, with hints for its misspelled names that the differences do not mention.
  private func failure(of step: Step, _ differences: [String], _ definition: Definition) -> ScenarioFailure {
    var hints = NameHints(definition)
    hints.add(step)
    let known = differences.joined(separator: "\n")
    // The refusal of an unknown step already contains this hint.
    let more = hints.texts.filter { hint in !known.contains(hint.split(separator: "; ").last ?? "") }
    return ScenarioFailure(line: step.line, differences: differences + more)
  }
}

extension Expectation {
  /// Returns the differences from the expectation; empty if the session meets the expectation.
  fileprivate func differences(from found: Look, last: Played, events: [Played.Event], changes: [String]) -> [String] {
    var differences: [String] = []
    func compare<T: Equatable>(_ what: String, _ wanted: T?, _ found: T) {
      guard let wanted, wanted != found else { return }
      differences.append("\(what): expected \(wanted)\n\(String(repeating: " ", count: what.count))  found    \(found)")
    }
    if let refusal = last.refusal, refused == nil { differences.append("refused: \(refusal.code), \(refusal.detail)") }
    compare("refused", refused, last.refusal?.code ?? "nothing")
    if let refusals = last.refusals, refusals.map(\.text) != refusedActions ?? [] {
      compare("refused", refusedActions ?? [], refusals.map(\.text))
      differences += refusals.map { "refused: \($0.name): \($0.refusal.detail)" }
    }
    compare("outcome", outcome, last.outcome)
    compare("reason", reason, last.reason ?? "none")
    if let tree, tree != found.tree { differences.append("tree:\n" + TreeDifference.text(expected: tree, found: found.tree)) }
    compare("stack", stack, found.stack)
    compare("visible", visible, found.visible ?? "nothing")
    compare("steps", steps, events.filter { $0.type == "willNavigate" }.map { "\($0.flow ?? "") \($0.step ?? "")" })
    compare("dropped", dropped, events.filter { $0.type == "dropped" }.map { "\($0.step ?? "") \($0.reason ?? "")" })
    compare("events", self.events, events.map(\.type))
    compare("changes", self.changes, changes)
    for (name, value) in (facts ?? [:]).sortedByKey { compare("fact \(name)", value, found.facts[name] ?? .null) }
    compare("login", login, found.login)
    compare("accepts", accepts, found.accepts)
    compare("guarded", guarded, found.guarded)
    compare("question", question, found.question ?? "null")
    compare("pendingLink", pendingLink, found.pendingLinks.first ?? "null")
    compare("pendingLinks", pendingLinks, found.pendingLinks)
    compare("waiting", waiting, found.waiting)
    compare("loads", loads, found.loads)
    compare("messages", messages, found.messages)
    return differences
  }
}

/// The failure of a scenario.
package struct ScenarioFailure: Error, Sendable {
  /// The line of the expectation that was not met, or of the scenario if it could not be started or played.
  package var line: Int
  package var differences: [String]
}
