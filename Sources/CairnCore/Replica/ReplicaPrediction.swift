/// The result of an action that a replica has run before the service.
public enum ReplicaPrediction: Hashable, Sendable {
  /// The action is shown: these are the changes, and the nodes that it created.
  case shown(changes: [Change], created: [NodeID])
  /// The action changes nothing here, for a reason such as the code of a refusal. Nothing is shown until the service has decided.
  case unchanged(reason: String)
  /// The action depends on something that only the service knows. Nothing is shown until the service has decided.
  case unpredictable
  /// The step waits behind an unpredictable action. It is run when the service has decided on that action, or after `Replica.proceed`.
  case waiting
}
