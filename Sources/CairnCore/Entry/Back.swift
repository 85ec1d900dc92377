// The system's back gesture.
extension Gestures {
  /// The effect of `back`.
  enum Back {
    /// Pops a stack to its first `count` children.
    case pop(NodeID, keeping: Int)
    case dismiss(NodeID)
    case selectFirst(NodeID)
  }

  /// Pops the front stack. If it cannot be popped, dismisses the modal in front; without a modal, follows the rules of the containers around.
  static func back(_ run: inout Run, at viewpoint: Viewpoint) throws(Refusal) -> NoChange? {
    switch back(run.state, in: run.program, at: viewpoint) {
    case .pop(let stack, let count): return try Asking.askAndKeep(&run, count, on: stack)
    case .dismiss(let modal): return try Asking.askAndLeave(&run, modal)
    case .selectFirst(let tabs): return TabsOperations.select(&run, 0, in: tabs)
    case nil: return .atRoot
    }
  }

  /// Handles a tap on the tab that is already selected.
  static func reselect(_ run: inout Run, in tabs: NodeID) throws(Refusal) -> NoChange? {
    // Reported first, because the operation below may report another reason.
    run.report.explain(.alreadySelected)
    guard let record = run.state.nodes.record(tabs), let manner = run.program.flow(of: record)?.manner else { return nil }
    switch manner.reselect {
    case .nothing: return nil
    case .popToRoot:
      guard let stack = stackToReselect(run.state, in: record) else { return nil }
      return try Asking.askAndKeep(&run, 1, on: stack)
    case .send(let template):
      guard run.state.isAlive(flow: tabs) else { return nil }
      let emitter = run.state.emitter(record)
      try Sending.sendNow(&run, template, by: tabs, emitter: emitter, scope: Scope(emitter: emitter))
      return nil
    }
  }

  /// Returns the effect that `back` would have in a state; `nil` if it would have none.
  static func back(_ state: State, in program: Program, at viewpoint: Viewpoint) -> Back? {
    if let top = stackToPop(state, at: viewpoint) { return .pop(top.stack, keeping: top.count - 1) }
    if viewpoint.layer != state.root { return .dismiss(viewpoint.layer) }
    for id in state.ancestors(of: viewpoint.endID(in: state), acrossModals: false) {
      guard let container = state.nodes.record(id) else { continue }
      if let back = container.rules?.back(in: container, of: program.flow(of: container)) { return back }
    }
    return nil
  }

  /// Returns the innermost stack around the viewpoint that can be popped, in the viewpoint's layer, and the number of its children up to the one that the user
  /// saw; `nil` if there is none. The stack of a split is its master.
  static func stackToPop(_ state: State, at viewpoint: Viewpoint) -> (stack: NodeID, count: Int)? {
    guard var here = viewpoint.end ?? state.nodes.record(state.root) else { return nil }
    var below: NodeRecord?
    while true {
      if let stack = here.rules?.stack(of: here, in: state.nodes), stack.id != below?.id {
        let count = viewpoint.isCovered ? viewpoint.count(of: stack, through: below, in: state.nodes) : Int(stack.childCount)
        if count > 1 { return (stack.nodeID, count) }
      }
      guard !state.isPresented(here), let parent = here.parentID, let container = state.nodes.record(parent) else { return nil }
      if viewpoint.isCovered { below = here }
      here = container
    }
  }

  /// The outermost stack of the selected tab that can be popped; `nil` if there is none.
  static func stackToReselect(_ state: State, in tabs: NodeRecord) -> NodeID? {
    var next = state.front(of: tabs)
    while let id = next, let record = state.nodes.record(id) {
      if let stack = record.rules?.stack(of: record, in: state.nodes), stack.childCount > 1 { return stack.nodeID }
      next = state.front(of: record)
    }
    return nil
  }
}
