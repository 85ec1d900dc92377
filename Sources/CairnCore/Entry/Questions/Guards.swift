/// Finds the guarded nodes that an action would remove or hide.
enum Guards {
  /// The nodes that an aim would remove now, the frontmost first within a stack. For the selection of a tab, this is the tab that is
  /// selected now. Empty if there is nothing left to remove. `Asking.verdict` determines the nodes that a link or notification would
  /// remove.
  static func going(_ state: State, _ aim: Question.Aim) -> [NodeID] {
    switch aim {
    case .keep(let top, let above):
      return kept(state, top, above).map { state.nodes.children(of: $0.stack).dropFirst($0.count).reversed() } ?? []
    case .remove(let node): return state.stands(node) ? [node] : []
    case .select(let tab, let tabs):
      guard let record = state.nodes.record(tabs), state.nodes.children(of: tabs).contains(tab), let front = state.front(of: record),
        front != tab
      else { return [] }
      return [front]
    case .exit: return state.visibleEnd.map { state.ancestors(of: $0.nodeID, acrossModals: false) } ?? []
    case .open, .send, .handle: return []
    }
  }

  /// The stack that an aim pops now, and the number of its nodes that are kept; `nil` if neither `top` nor `above` exists. The stack is
  /// searched at each call, because a split that collapses or expands gets another stack.
  static func kept(_ state: State, _ top: NodeID, _ above: NodeID) -> (stack: NodeID, count: Int)? {
    if let record = state.nodes.record(top), let stack = record.parentID {
      return (stack, Siblings.index(of: record, in: state.nodes) + 1)
    }
    guard let record = state.nodes.record(above), let stack = record.parentID else { return nil }
    return (stack, max(1, Siblings.index(of: record, in: state.nodes)))
  }

  /// The frontmost node whose guard must be asked before an aim is carried out; `nil` if there is none. A node that has agreed is not asked
  /// again.
  static func asking(_ state: State, _ evaluator: Evaluator, _ aim: Question.Aim) -> NodeRecord? {
    searched(state, aim).first { asks($0, state, evaluator, hides: aim.hides) }
  }

  /// The frontmost node that refuses an aim without a question; `nil` if there is none.
  static func refusing(_ state: State, _ evaluator: Evaluator, _ aim: Question.Aim) -> NodeRecord? {
    searched(state, aim).first { state.nodes.details(of: $0).leave?.ask == nil && asks($0, state, evaluator, hides: aim.hides) }
  }

  /// The nodes that an aim would remove or hide, front first.
  private static func searched(_ state: State, _ aim: Question.Aim) -> [NodeRecord] {
    let going = going(state, aim)
    return if case .exit = aim { going.compactMap { state.nodes.record($0) } } else { inside(state, going, hides: aim.hides) }
  }

  /// Whether a node has a guard whose condition is true, and has not agreed yet. Nodes that have ended, or whose flow has ended, are not
  /// guarded. `hides` is whether the node would be hidden and not removed.
  static func asks(_ record: NodeRecord, _ state: State, _ evaluator: Evaluator, hides: Bool = false) -> Bool {
    guard record.isGuarded, let flow = record.handlingFlow, state.isAlive(flow: flow),
      let leave = state.nodes.details(of: record).leave, !hides || leave.asksBeforeTabs,
      state.question?.agreed.contains(record.nodeID) != true
    else { return false }
    guard let condition = leave.when else { return true }
    return holds(condition, in: Scope(emitter: Emitter(record, in: state), flow: flow), state, evaluator)
  }

  /// Whether the condition of a guard is true. A comparison with a missing value is false, even with `not`, so that a page on which the
  /// user has written nothing does not ask.
  private static func holds(_ condition: Guard, in scope: Scope, _ state: State, _ evaluator: Evaluator) -> Bool {
    switch condition {
    case .all(let parts): parts.allSatisfy { holds($0, in: scope, state, evaluator) }
    case .any(let parts): parts.contains { holds($0, in: scope, state, evaluator) }
    case .not(let inner):
      (presence(of: inner).map { evaluator.holds($0, in: scope, state) } ?? true) && !holds(inner, in: scope, state, evaluator)
    default: evaluator.holds(condition, in: scope, state)
    }
  }

  /// Returns a condition that is true if the value compared by `condition` exists; `nil` if `condition` is not a comparison.
  private static func presence(of condition: Guard) -> Guard? {
    switch condition {
    case .fact(let name, let test): test.isComparison ? .fact(name, .present) : nil
    case .flowFact(let name, let test): test.isComparison ? .flowFact(name, .present) : nil
    case .content(let path, let test, let place): test.isComparison ? .content(path, .present, of: place) : nil
    default: nil
    }
  }

  /// The given nodes, their descendants and the modals over them, the frontmost first. Nodes in modals on levels that would be dismissed
  /// together with the given nodes come first. With `hides`, nodes in tabs that are not selected are omitted, because they are already
  /// hidden.
  static func inside(_ state: State, _ going: [NodeID], hides: Bool = false) -> [NodeRecord] {
    let raised = raised(state, goingWith: going)
    let windows = raised.isEmpty ? [] : state.nodes.levels.reversed().filter { raised.contains($0) && !going.contains($0) }
    let roots = windows.flatMap { layers(state, in: [$0]) } + layers(state, in: going)
    return roots.flatMap { layer(state, below: $0, hides: hides).reversed() }
  }

  /// The modals over the given nodes, the newest first, then these nodes.
  private static func layers(_ state: State, in going: [NodeID]) -> [NodeID] {
    guard state.nodes.hasModals else { return going }
    return going.flatMap { state.subtree(of: $0).dropFirst().filter { state.isPresented($0) } }.sorted().reversed() + going
  }

  /// The modals on levels, shown or waiting, that would be dismissed with the given nodes, because they belong to flows in these nodes or to
  /// descendants of these flows.
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

  /// A node and its descendants, without modals. The front child of each container comes last.
  private static func layer(_ state: State, below id: NodeID, hides: Bool) -> [NodeRecord] {
    var found: [NodeRecord] = []
    var open = [id]
    while let next = open.popLast() {
      guard let record = state.nodes.record(next) else { continue }
      found.append(record)
      guard record.childCount > 0 else { continue }
      let front = state.front(of: record)
      if let front { open.append(front) }
      if !hides || record.kind != .tabs { open += state.nodes.children(of: record).reversed().filter { $0 != front } }
    }
    return found
  }
}

extension Question.Aim {
  /// Whether the aim hides nodes and removes none.
  fileprivate var hides: Bool { if case .select = self { true } else { false } }
}

extension Guard.Test {
  /// Whether the test compares a value with other values.
  fileprivate var isComparison: Bool {
    switch self {
    case .equals, .among, .over, .under: true
    case .isTrue, .present, .absent: false
    }
  }
}
