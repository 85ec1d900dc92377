/// The result of an action that a replica has run before the service.
public enum ReplicaPrediction: Hashable, Sendable {
  /// The action is shown: these are the changes, and the nodes that it created.
  case shown(changes: [Change], created: [NodeID])
  /// The action changes nothing here, for this reason. Nothing is shown until the service has decided.
  case unchanged(reason: String)
  /// The action is refused here. Nothing is shown until the service has decided.
  case refused(Refusal)
  /// The action depends on something that only the service knows. Nothing is shown until the service has decided.
  case unpredictable
  /// The step waits behind an unpredictable action. It is run when the service has decided on that action, or after `Replica.proceed`.
  case waiting
}
