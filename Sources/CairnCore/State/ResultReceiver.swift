/// Who asked a node for a result, and the two steps of which one is sent when it is known: on the node that was asked.
public struct ResultReceiver: Hashable, Sendable {
  /// The screen that sent the step by which the node was made, or the flow if there was none. It is the sender of the result's step.
  public var node: NodeID
  /// Sent with what the flow gave. Its params are worked out but for `$result`.
  public var then: StepTemplate?
  /// Sent where the node went without having given anything.
  public var otherwise: StepTemplate?

  public init(node: NodeID, then: StepTemplate? = nil, otherwise: StepTemplate? = nil) {
    self.node = node
    self.then = then
    self.otherwise = otherwise
  }
}

extension ResultReceiver {
  /// About how many bytes it takes.
  var size: Int { State.itemSize + (then?.size ?? 0) + (otherwise?.size ?? 0) }
}
