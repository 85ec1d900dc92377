/// The receiver of a node's result, with two steps, one of which is sent when the node ends. It is stored on the node that is to give the result.
public struct ResultReceiver: Hashable, Sendable {
  /// The screen whose step created the node, or the flow if no screen sent it. It is the sender of the result's step.
  public var node: NodeID
  /// The step that is sent with the result. All its params are evaluated except `$result`.
  public var then: StepTemplate?
  /// The step that is sent if the node is removed without a result.
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
