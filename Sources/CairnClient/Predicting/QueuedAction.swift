import CairnCore

/// An action of a predicted session that the service has not answered.
struct QueuedAction: Sendable {
  let number: Int
  let action: SessionAction
  /// The action as it is posted. It names the nodes that other actions create by these actions.
  let posted: Value
  /// Whether it waits while the service cannot be reached.
  let isKept: Bool
  /// The client's time of the action in milliseconds since 1970.
  let at: Int
  /// The hash of the definition by which it was made.
  let definition: String
  /// The call that waits for the answer.
  let call: CheckedContinuation<Result<ActionAnswer, ClientError>, Never>
}
