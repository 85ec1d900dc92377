/// The result of an action in a replica before the service has run it.
public enum ReplicaPrediction: Hashable, Sendable {
  /// The action's effect is shown. The payload contains its changes, the nodes that it created, and whether the client leaves the app.
  case shown(changes: [Change], created: [NodeID], exits: Bool = false)
  /// The action changes nothing in the client, for this reason. The shown state does not change until the service has responded.
  case unchanged(reason: String)
  /// The replica refuses the action. Nothing is shown until the service has decided.
  case refused(Refusal)
  /// The action depends on data that only the service has. Nothing is shown until the service has decided.
  case unpredictable
  /// The step waits for an earlier, unpredictable action. It is run when the service has decided on that action, or after `Replica.proceed`.
  case waiting
}
