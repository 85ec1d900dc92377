import CairnCore

/// A probable fault that the walk has observed. Equal observations are reported once.
struct Observation: Hashable, Sendable {
  var kind: Finding.Kind
  /// The handler and branch, the move, the step, or the claim. For a queue, it is the refused action or the loss; for a migration, it is
  /// the reason why a state cannot move.
  var subject: String
  /// The code of the refusal, or the reason of the event. For a queue, it ends with the entry that precedes the queue. Empty if the kind
  /// has no reason.
  var reason: String
}

/// A state, or a move in a state. `move` is the index among the moves of the state.
struct Location: Sendable {
  var state: UInt32
  var move: UInt16?
}
