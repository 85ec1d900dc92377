/// The gestures that would ask a guard if they were posted in a state.
struct GuardedGestures {
  private let state: State
  /// An evaluator for conditions, which read no random values. Without a manual clock, the time is not known, so every moment counts as
  /// passed.
  private let evaluator: Evaluator

  private var program: Program { evaluator.program }

  init(_ state: State, in program: Program) {
    self.state = state
    evaluator = Evaluator(program: program, stamp: Stamp(judging: state))
  }

  /// The `type` words of these gestures, if they were posted without a count, a node or a name.
  var names: [String] {
    guard program.hasLeave else { return [] }
    var names: [String] = []
    let front = GestureOrigin(front: state)
    let top = Gestures.stackToPop(state, at: front)
    if let top {
      let above = state.nodes.children(of: top.stack).dropFirst()
      if asks(Array(above.suffix(1))) { names += ["pop", "back"] }
      if asks(above.reversed()) { names.append("popToRoot") }
    }
    if front.layer != state.root, asks([front.layer]) {
      names += top == nil ? ["dismiss", "back"] : ["dismiss"]
    }
    switch Gestures.back(state, by: evaluator, at: front) {
    case .select(_, let tabs): if asksBeforeAnotherTab(of: tabs) { names.append("back") }
    case nil: if asksBeforeExit { names.append("back") }
    case .pop, .dismiss: break
    }
    let tabs = state.ancestors(of: front.endID(in: state), acrossModals: false).first { state.nodes.record($0)?.kind == .tabs }
    if let tabs, asksBeforeAnotherTab(of: tabs) { names.append("select") }
    return names
  }

  /// Whether `back` asks before the app is left.
  var asksBeforeExit: Bool {
    program.hasLeave && Gestures.back(state, by: evaluator, at: GestureOrigin(front: state)) == nil
      && Guards.asking(state, evaluator, .exit) != nil
  }

  private func asks(_ going: [NodeID]) -> Bool {
    Guards.inside(state, going).contains { Guards.asks($0, state, evaluator) }
  }

  private func asksBeforeAnotherTab(of tabs: NodeID) -> Bool {
    guard let record = state.nodes.record(tabs), let front = state.front(of: record) else { return false }
    return Guards.inside(state, [front], hides: true).contains { Guards.asks($0, state, evaluator, hides: true) }
  }
}
