package import CairnCore
package import CairnJournal

/// The state to which a scenario leads.
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

  /// Plays a scenario of an app in memory, from a time in milliseconds since 1970. Any thread.
  package typealias Playing = @Sendable (_ scenario: Value, PinnedDefinition, _ time: Int) throws(Fault) -> ScenarioEnd

  /// The mistakes of a scenario, or the expectation that is not met. The pointers begin in the scenario.
  package struct Fault: Error {
    package var items: [(pointer: String, detail: String)]

    package init(_ items: [(pointer: String, detail: String)]) { self.items = items }
  }
}
