/// An action of this client that the service has not confirmed.
struct PendingAction: Sendable {
  /// The client's number of the action.
  let number: WideInt
  /// The action, with the ids that its nodes have at the moment.
  var action: Action
  /// The client's time of the action in milliseconds since 1970.
  let time: WideInt
  /// Whether the shown state contains the action's effect.
  var isShown = false
  /// Whether the steps behind it wait, because what it does is not known here.
  var holdsUp = false
  /// Whether they wait no longer.
  var isPassed = false
  /// The nodes that the action created in the shown state, in the order of their creation.
  var created: [NodeID] = []
}
