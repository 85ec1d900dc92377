package import CairnCore

/// The result that one action would have if it were posted to a session.
package struct Prediction: Sendable {
  /// The action without its secrets; `nil` for an advance of the clock, or if the command was refused before its secrets were separated.
  package let action: Action?
  package let result: Result<Transition, StoreFault>

  /// The maximum number of predictions of a state.
  package static let limit = 32
}
