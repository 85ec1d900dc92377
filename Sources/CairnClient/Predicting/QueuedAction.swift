import CairnCore

/// An action of a predicted session that the service has not answered.
struct QueuedAction: Sendable {
  let number: Int
  let action: SessionAction
  /// The action in its posted form. A node that an unconfirmed action creates is given as that action's number and the node's index among
  /// the created nodes.
  let posted: Value
  /// Whether the action waits while the service cannot be reached.
  let isKept: Bool
  /// The client's time of the action in milliseconds since 1970.
  let at: Int
  /// The hash of the definition for which the action was made.
  let definition: String
  /// The call that waits for the response.
  let call: CheckedContinuation<Result<ActionAnswer, ClientError>, Never>
}
