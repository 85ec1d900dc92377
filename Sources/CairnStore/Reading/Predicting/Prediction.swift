package import CairnCore

/// The result that one action would have if it were posted to a session.
package struct Prediction: Sendable {
  /// The action without secrets; `nil` if it was refused before its secrets were known.
  package let action: Action?
  package let result: Result<Transition, StoreFault>

  /// The maximum number of predictions of a state.
  package static let limit = 32
}
