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
  /// Whether the action may be stored in a file, because it is known to contain no secret.
  let isStored: Bool
  /// Whether the service may have received the action from this process.
  var isSent = false
  /// The client's time of the action in milliseconds since 1970.
  let at: Int
  /// The hash of the definition for which the action was made.
  let definition: String
  /// Receives the response; `nil` if an earlier process made the action.
  let end: (@Sendable (Result<ActionAnswer, ClientError>) -> Void)?

  /// The posted form without the time and the revision.
  var content: Value { Self.content(of: posted) }

  static func content(of posted: Value) -> Value {
    guard case .object(var members) = posted else { return posted }
    (members["at"], members["seen"]) = (nil, nil)
    return .object(members)
  }

  /// Returns an action with its time and the revision that was shown when it was made.
  static func posted(_ action: Value, at: Int, seen: Int?) -> Value {
    guard case .object(var members) = action else { return action }
    members["at"] = .integer(at)
    members["seen"] = seen.map { .integer($0) }
    return .object(members)
  }
}
