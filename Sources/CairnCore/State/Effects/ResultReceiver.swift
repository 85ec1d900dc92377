/// The receiver of a node's result, stored on that node. One of its two steps is sent to the receiver's flow.
public struct ResultReceiver: Hashable, Sendable {
  /// The screen that sent the step by which the node was created, or the flow if no screen did. It is the sender of the result's step.
  public var node: NodeID
  /// The step sent with the result. Its params are evaluated except `$result`.
  public var then: StepTemplate?
  /// The step sent if the node is removed without a result.
  public var otherwise: StepTemplate?

  public init(node: NodeID, then: StepTemplate? = nil, otherwise: StepTemplate? = nil) {
    self.node = node
    self.then = then
    self.otherwise = otherwise
  }
}

extension ResultReceiver {
  /// The approximate size in bytes.
  var size: Int { State.itemSize + (then?.size ?? 0) + (otherwise?.size ?? 0) }
}
