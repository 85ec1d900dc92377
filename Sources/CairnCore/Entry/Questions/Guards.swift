/// Finds the guarded nodes that an action would remove or hide.
enum Guards {
  /// The nodes that an aim would remove now, in front first where they are on a stack; the selected tab for a selection; empty if there is nothing left to do.
  /// For links and notifications see `Asking.asks(_:_:before:)`.
  static func going(_ state: State, _ aim: Question.Aim) -> [NodeID] {
    switch aim {
    case .keep(let top, let stack):
      let children = state.nodes.children(of: stack)
      return children.firstIndex(of: top).map { children.dropFirst($0 + 1).reversed() } ?? []
    case .remove(let node): return state.stands(node) ? [node] : []
    case .select(let tab, let tabs):
      guard let record = state.nodes.record(tabs), state.nodes.children(of: tabs).contains(tab), let front = state.front(of: record),
        front != tab
      else { return [] }
      return [front]
    case .exit: return state.visibleEnd.map { state.ancestors(of: $0.nodeID, acrossModals: false) } ?? []
    case .open, .send: return []
    }
  }

  /// The first node that an aim must ask now, front first; `nil` if there is none. Nodes that have agreed are not asked again.
  static func asking(_ state: State, _ evaluator: Evaluator, _ aim: Question.Aim) -> NodeRecord? {
    let going = going(state, aim)
    let searched = if case .exit = aim { going.compactMap { state.nodes.record($0) } } else { inside(state, going) }
    let hides = if case .select = aim { true } else { false }
    return searched.first { asks($0, state, evaluator, hides: hides) }
  }

  /// Whether a node has a guard whose condition holds, and has not agreed yet. Nodes that have ended, or whose flow has ended, are not guarded. `hides` is whether
  /// the node would be hidden and not removed.
  static func asks(_ record: NodeRecord, _ state: State, _ evaluator: Evaluator, hides: Bool = false) -> Bool {
    guard record.isGuarded, let flow = record.handlingFlow, state.isAlive(flow: flow),
      let leave = state.nodes.details(of: record).leave, !hides || leave.asksBeforeTabs,
      state.question?.agreed.contains(record.nodeID) != true
    else { return false }
    guard let condition = leave.when else { return true }
    return evaluator.holds(condition, in: Scope(emitter: Emitter(record, in: state), flow: flow), state)
  }

  /// The given nodes, their descendants and the modals over them, front first. Nodes on levels that would be dismissed with the given ones precede them.
  static func inside(_ state: State, _ going: [NodeID]) -> [NodeRecord] {
    let raised = raised(state, goingWith: going)
    let windows = raised.isEmpty ? [] : state.nodes.levels.reversed().filter { raised.contains($0) && !going.contains($0) }
    let roots = windows.flatMap { layers(state, in: [$0]) } + layers(state, in: going)
    return roots.flatMap { layer(state, below: $0).reversed() }
  }

  /// The modals over the given nodes, the newest first, then these nodes.
  private static func layers(_ state: State, in going: [NodeID]) -> [NodeID] {
    guard state.nodes.hasModals else { return going }
    return going.flatMap { state.subtree(of: $0).dropFirst().filter { state.isPresented($0) } }.sorted(by: >) + going
  }

  /// The modals on levels, shown or waiting, that would be dismissed with the given nodes, because they belong to flows in these nodes or to
  /// descendants of such flows.
  static func raised(_ state: State, goingWith going: [NodeID]) -> Set<NodeID> {
    var raised: Set<NodeID> = []
    guard state.nodes.hasLevels else { return raised }
    let all = state.nodes.levels + state.nodes.waiting
    var open = going
    while let next = open.popLast() {
      let flows = Set(state.flows(from: state.subtree(of: next).filter { state.nodes.record($0)?.isFlow ?? false }))
      for modal in all where state.nodes.record(modal)?.ownerID.map(flows.contains) ?? false {
        if raised.insert(modal).inserted { open.append(modal) }
      }
    }
    return raised
  }

  /// A node and its descendants without modals. Nodes in front are last.
  private static func layer(_ state: State, below id: NodeID) -> [NodeRecord] {
    var found: [NodeRecord] = []
    var open = [id]
    while let next = open.popLast() {
      guard let record = state.nodes.record(next) else { continue }
      found.append(record)
      guard record.childCount > 0 else { continue }
      let front = state.front(of: record)
      if let front { open.append(front) }
      open += state.nodes.children(of: record).reversed().filter { $0 != front }
    }
    return found
  }
}
