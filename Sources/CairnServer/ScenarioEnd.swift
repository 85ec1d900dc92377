package import CairnCore
package import CairnJournal

/// The state at the end of a scenario.
package struct ScenarioEnd: Sendable {
  package var name: String
  package var state: State
  /// The secrets that belong to the state.
  package var secrets: [SecretSlot: String]

  package init(name: String, state: State, secrets: [SecretSlot: String]) {
    self.name = name
    self.state = state
    self.secrets = secrets
  }

  /// Plays a scenario of an app in memory. `time` is the start, in milliseconds since 1970. Can be called on any thread. Throws the
  /// scenario's errors.
  package typealias Playing = @Sendable (_ scenario: Value, PinnedDefinition, _ time: Int) throws(Fault) -> ScenarioEnd

  /// The errors of a scenario, or the expectation that failed. The pointers are relative to the scenario.
  package struct Fault: Error {
    package var items: [(pointer: String, detail: String)]

    package init(_ items: [(pointer: String, detail: String)]) { self.items = items }
  }
}
