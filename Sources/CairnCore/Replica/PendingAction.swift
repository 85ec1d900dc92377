/// An action of this client that the service has not confirmed.
struct PendingAction: Sendable {
  /// The client's number of the action.
  let number: WideInt
  /// The action, with the ids that its nodes currently have.
  var action: Action
  /// The time of the action by the client's clock, in milliseconds since 1970.
  let time: WideInt
  /// The confirmed revision that was shown when the user acted.
  let seen: Int
  /// Whether the shown state contains the action's effect.
  var isShown = false
  /// Whether later steps wait, because the effect of this action cannot be predicted.
  var holdsUp = false
  /// Whether later steps no longer wait for this action.
  var isPassed = false
  /// The nodes that the action created in the shown state, in the order of their creation.
  var created: [NodeID] = []
}
