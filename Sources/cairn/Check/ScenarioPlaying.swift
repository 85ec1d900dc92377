import CairnAPI
import CairnCore
import CairnDefinition
import CairnJournal
import CairnScenario
import CairnServer

/// Plays the scenario of a request, so that a session can begin with the state at its end.
enum ScenarioPlaying {
  /// Maximum number of actions in a scenario, which bounds its run time.
  private static let mostActions = 200

  /// Maximum length of the scenario's name in the session's history, in characters.
  private static let longestName = 200

  /// Returns the state after the scenario. Throws if the scenario has mistakes, or if an expectation is not met.
  static func end(
    of scenario: Value, _ definition: PinnedDefinition, at time: Int, bounds: Bounds
  ) throws(ScenarioEnd.Fault) -> ScenarioEnd {
    let file = ScenarioLines(scenario, app: definition.definition.app)
    let read = try parsed(file)
    guard read.given.definition == nil else {
      throw ScenarioEnd.Fault([
        ("/given/definition", "a session cannot start with a migration; remove definition")
      ])
    }
    guard read.size <= mostActions else {
      throw ScenarioEnd.Fault([("", "the scenario has \(read.size) actions; the maximum is \(mostActions)")])
    }
    var run = ScenarioRun(definition.definition, time: time, bounds: bounds) { _ in Identity.nonce() }
    if let failure = read.play(on: &run) {
      throw ScenarioEnd.Fault([(file.pointer(line: failure.line), failure.differences.joined(separator: "; "))])
    }
    var state = run.state
    state.revision = 1
    var secrets: [SecretSlot: String] = [:]
    if state.facts[FactDefinition.accessToken] != nil { secrets[.token] = run.token ?? "scenario" }
    for effect in state.effects where effect.isLogin { secrets[.code(effect: effect.id)] = run.code ?? "scenario" }
    for effect in state.effects where effect.keepsToken { secrets[.code(effect: effect.id)] = run.token ?? "scenario" }
    for number in state.secrets { secrets[.param(number)] = run.params[number] }
    return ScenarioEnd(name: String(read.name.prefix(longestName)), state: state, secrets: secrets)
  }

  private static func parsed(_ file: ScenarioLines) throws(ScenarioEnd.Fault) -> Scenario {
    do throws(InvalidDefinition) {
      let scenarios = try ScenarioReader.read(file: "scenario", text: file.text).scenarios
      guard let scenario = scenarios.first else { throw InvalidDefinition(diagnostics: []) }
      return scenario
    } catch {
      throw ScenarioEnd.Fault(error.diagnostics.map { (file.pointer(line: $0.line), $0.message) })
    }
  }
}
