// Performs the system's back gesture.
extension Gestures {
  /// The effect that `back` has in a state.
  enum Back {
    /// Pops a stack until only the first `keeping` children are left.
    case pop(NodeID, keeping: Int)
    case dismiss(NodeID)
    case select(tab: NodeID, in: NodeID)
  }

  /// Pops the front stack. If it cannot be popped, dismisses the modal in front. Without a modal, selects a tab by the rules of the
  /// containers around the origin (`ContainerRules.tabsBehind`). If none of these is possible, the gesture leaves the app (`Asking.exit`).
  static func back(_ run: inout Run, at origin: GestureOrigin) throws(Refusal) -> NoChange? {
    switch back(run.state, by: run.evaluator, at: origin) {
    case .pop(let stack, let count): return try Asking.keep(&run, count, on: stack)
    case .dismiss(let modal): return try Asking.perform(&run, .remove(modal))
    case .select(let tab, let tabs): return try Asking.perform(&run, .select(tab: tab, in: tabs))
    case nil: return try Asking.exit(&run)
    }
  }

  /// Handles a tap on the tab that is already selected, as its tab container declares in `reselect`.
  static func reselect(_ run: inout Run, in tabs: NodeID) throws(Refusal) -> NoChange? {
    // The default reason. An operation below may replace it by another one.
    run.report.explain(.alreadySelected)
    guard let record = run.state.nodes.record(tabs), let manner = run.program.flow(of: record)?.manner else { return nil }
    switch manner.reselect {
    case .nothing: return nil
    case .popToRoot:
      guard let stack = stackToReselect(run.state, in: record) else { return nil }
      return try Asking.keep(&run, 1, on: stack)
    case .send(let template):
      guard run.state.isAlive(flow: tabs) else { return nil }
      let emitter = Emitter(record, in: run.state)
      try Sending.sendNow(&run, template, by: tabs, emitter: emitter, scope: Scope(emitter: emitter, flow: tabs))
      return nil
    }
  }

  /// Returns the effect that `back` would have in a state; `nil` if it would have no effect.
  static func back(_ state: State, by evaluator: Evaluator, at origin: GestureOrigin) -> Back? {
    if let top = stackBehind(state, at: origin, in: evaluator.program) { return .pop(top.stack, keeping: top.count - 1) }
    if origin.layer != state.root { return .dismiss(origin.layer) }
    for id in state.ancestors(of: origin.endID(in: state), acrossModals: false) {
      guard let container = state.nodes.record(id) else { continue }
      let tabs = container.rules?.tabsBehind(container, evaluator.program.flow(of: container), in: state.nodes) ?? []
      if let tab = tabs.first(where: { !TabGates.isClosed($0, state, evaluator) }) { return .select(tab: tab, in: id) }
    }
    return nil
  }

  /// The stack that `back` pops, and the number of its children, as `stackToPop` returns them. If both panes of a split can be popped, it
  /// is the stack with the newer top node, because the user probably wants to close the page that was opened last.
  private static func stackBehind(_ state: State, at origin: GestureOrigin, in program: Program) -> (stack: NodeID, count: Int)? {
    var found = stackToPop(state, at: origin)
    guard program.showsSeveralScreens, !origin.isCovered else { return found }
    for id in state.ancestors(of: origin.endID(in: state), acrossModals: false) {
      guard let split = state.nodes.record(id), split.rules?.showsAllChildren == true else { continue }
      for pane in state.nodes.children(of: split) {
        guard let stack = innermostStack(state, from: pane) else { continue }
        if found.flatMap({ state.nodes.record($0.stack) }).map({ $0.lastChild < stack.lastChild }) ?? true {
          found = (stack.nodeID, Int(stack.childCount))
        }
      }
    }
    return found
  }

  /// The innermost stack that can be popped, among a node and its frontmost descendants; `nil` if there is none.
  private static func innermostStack(_ state: State, from node: NodeID) -> NodeRecord? {
    var (next, found) = (state.nodes.record(node), NodeRecord?.none)
    while let record = next {
      if let stack = record.rules?.stack(of: record, in: state.nodes), stack.childCount > 1 { found = stack }
      next = state.front(of: record).flatMap { state.nodes.record($0) }
    }
    return found
  }

  /// The innermost stack around the origin, in the origin's layer, that can be popped; `nil` if there is none. `count` is the number of the
  /// stack's children up to the child that the user saw. The stack of a split is its master.
  static func stackToPop(_ state: State, at origin: GestureOrigin) -> (stack: NodeID, count: Int)? {
    guard var here = origin.end ?? state.nodes.record(state.root) else { return nil }
    var below: NodeRecord?
    while true {
      if let stack = here.rules?.stack(of: here, in: state.nodes), stack.id != below?.id {
        let count = origin.isCovered ? origin.count(of: stack, through: below, in: state.nodes) : Int(stack.childCount)
        if count > 1 { return (stack.nodeID, count) }
      }
      guard !here.isPresented(in: state.nodes), let parent = here.parentID, let container = state.nodes.record(parent) else { return nil }
      if origin.isCovered { below = here }
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
