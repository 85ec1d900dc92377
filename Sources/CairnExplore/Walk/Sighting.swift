import CairnCore

/// An observation of the walk. Equal ones are reported once.
struct Sighting: Hashable, Sendable {
  var kind: Finding.Kind
  /// The handler and branch, the step or the screen.
  var subject: String
  /// The code or reason.
  var reason: String
}

/// Where something happens: in a state, by one of its moves; nil: in the state itself.
struct Spot: Sendable {
  var state: UInt32
  var move: UInt16?
}
