import CairnCore

extension Scenario {
  /// Plays the scenario from its start. Returns the first failure, or `nil` if the scenario passed.
  package func play(on player: inout some Player) -> ScenarioFailure? {
    do {
      var last = try player.start(given)
      // The events of the start belong to the first expectation only if no occurrence precedes it.
      var events = steps.first?.occurrences.isEmpty == false ? [] : last.events
      var changes = last.changes
      for step in steps {
        for occurrence in step.occurrences {
          // Only the last occurrence before an expectation may be refused, because the expectation concerns that refusal.
          if let refusal = last.refusal {
            return ScenarioFailure(line: step.line, differences: ["refused: \(refusal.code), \(refusal.detail)"])
          }
          last = try player.play(occurrence)
          events += last.events
          changes += last.changes
        }
        guard let expectation = step.expectation else { continue }
        let differences = expectation.differences(from: try player.look(), last: last, events: events, changes: changes)
        if !differences.isEmpty { return ScenarioFailure(line: step.line, differences: differences) }
        events = []
        changes = []
        last.refusal = nil
      }
      return nil
    } catch let refusal as Played.Refusal {
      return ScenarioFailure(line: line, differences: ["the session cannot start: \(refusal.detail)"])
    } catch {
      return ScenarioFailure(line: line, differences: ["\(error)"])
    }
  }
}

extension Expectation {
  /// Returns the differences from the expectation; empty if it is met.
  fileprivate func differences(from found: Look, last: Played, events: [Played.Event], changes: [String]) -> [String] {
    var differences: [String] = []
    func compare<T: Equatable>(_ what: String, _ wanted: T?, _ found: T) {
      guard let wanted, wanted != found else { return }
      differences.append("\(what): expected \(wanted)\n\(String(repeating: " ", count: what.count))  found    \(found)")
    }
    if let refusal = last.refusal, refused == nil { differences.append("refused: \(refusal.code), \(refusal.detail)") }
    compare("refused", refused, last.refusal?.code ?? "nothing")
    compare("outcome", outcome, last.outcome)
    compare("reason", reason, last.reason ?? "none")
    if let tree, tree != found.tree { differences.append("tree:\n" + TreeDifference.text(expected: tree, found: found.tree)) }
    compare("stack", stack, found.stack)
    compare("visible", visible, found.visible ?? "nothing")
    compare("steps", steps, events.filter { $0.type == "willNavigate" }.map { "\($0.flow ?? "") \($0.step ?? "")" })
    compare("dropped", dropped, events.filter { $0.type == "dropped" }.map { "\($0.step ?? "") \($0.reason ?? "")" })
    compare("events", self.events, events.map(\.type))
    compare("changes", self.changes, changes)
    for (name, value) in (facts ?? [:]).sorted(by: { $0.key < $1.key }) { compare("fact \(name)", value, found.facts[name] ?? .null) }
    compare("login", login, found.login)
    compare("accepts", accepts, found.accepts)
    compare("guarded", guarded, found.guarded)
    compare("pendingLink", pendingLink, found.pendingLinks.first ?? "null")
    compare("pendingLinks", pendingLinks, found.pendingLinks)
    compare("waiting", waiting, found.waiting)
    compare("loads", loads, found.loads)
    return differences
  }
}

/// The failure of a scenario.
package struct ScenarioFailure: Error, Sendable {
  /// The line of the expectation that was not met, or of the scenario if it could not be started or played.
  package var line: Int
  package var differences: [String]
}
