/// The part of the tree that the user saw when making a gesture, and on which the gesture therefore acts.
struct GestureOrigin {
  /// The last node of the path that the user saw; `nil` if there is none.
  let end: NodeRecord?
  /// The root of the layer that contains `end`.
  let layer: NodeID
  /// Whether a modal or a higher level now covers the nodes that the user saw. With `covered: accept`, gestures act on these nodes
  /// nevertheless.
  let isCovered: Bool

  /// The origin of the gesture of a user who saw the current state.
  init(front state: borrowing State) {
    let layer = state.frontLayer
    self.init(end: state.end(of: layer), layer: layer, isCovered: false)
  }

  /// The origin of the gesture of a user who saw `from`. Throws if `from` no longer exists, or if clients can no longer reach it: the
  /// gesture would act on nodes that the user has not seen. `Listen` does not matter here, because it allows only steps.
  init(_ run: borrowing Run, from: NodeID) throws(Refusal) {
    try Checks.checkLiving(run, from, at: "/from")
    guard let record = run.state.nodes.record(from),
      try Checks.isCovered(run, record, isHeard: false, so: "its screen does not accept gestures")
    else {
      self = GestureOrigin(front: run.state)
      return
    }
    self = GestureOrigin(end: record, layer: run.state.layer(of: from), isCovered: true)
  }

  private init(end: NodeRecord?, layer: NodeID, isCovered: Bool) {
    (self.end, self.layer, self.isCovered) = (end, layer, isCovered)
  }

  /// The id of `end`, or of the root if there is no `end`.
  func endID(in state: State) -> NodeID { end?.nodeID ?? state.root }

  /// The number of a stack's children up to the child that the user saw: `child` itself, or the child that contains it.
  func count(of stack: NodeRecord, through child: NodeRecord?, in nodes: NodeTable) -> Int {
    let all = Int(stack.childCount)
    guard let child, child.parent == stack.id else { return all }
    return stack.rules?.countThrough(child, of: stack, in: nodes) ?? all
  }
}
