// The view of a state for explorations.
extension Reducer {
  /// Creates a reducer that records the branches it runs. It computes the same states.
  package init(_ reducer: Reducer, leaving trail: Trail) {
    program = Program(reducer.definition, trail: trail, names: reducer.program.names)
  }

  /// Whether a condition holds in a state, without an emitting screen.
  package func holds(_ condition: Guard, in state: State) -> Bool {
    Evaluator(program: program, stamp: Stamp(time: state.manualTime ?? 0, nonce: "")).holds(condition, in: Scope(), state)
  }

  /// The loads that are new in a later state and had to wait because they have restarted themselves.
  package func restarts(from old: State, to new: State) -> [Effect] {
    new.effectsStarted(since: old).filter { effect in
      switch effect.work {
      case .value(_, let delay, let then, let otherwise), .request(_, _, let delay, let then, let otherwise, _):
        delay == Restarts.interval && [then, otherwise].contains { $0.map { program.restarts.ends.contains($0.step) } ?? false }
      case .timer, .exchange: false
      }
    }
  }

  /// The names of the screens in the front stacks to which a pop can go, each once.
  func screensBehind(in state: State) -> [String] {
    var names: [String] = []
    for ancestor in state.ancestors(of: state.visibleEnd?.nodeID ?? state.root, acrossModals: false) {
      guard let record = state.nodes.record(ancestor),
        let stack = record.rules?.stack(of: record, in: state.nodes), stack.rules?.takesPushes(stack, in: state.nodes) == true
      else { continue }
      for child in state.nodes.children(of: stack).dropLast() {
        guard let child = state.nodes.record(child), child.isLeaf else { continue }
        let name = state.nodes.name(of: child)
        if !names.contains(name) { names.append(name) }
      }
    }
    return names
  }

  /// The number of tabs that can be selected.
  func tabCount(in state: State) -> Int {
    let end = state.visibleEnd?.nodeID ?? state.root
    for ancestor in state.ancestors(of: end, acrossModals: definition.covered == .accept) {
      guard let record = state.nodes.record(ancestor), let count = record.rules?.selectableCount(of: record) else { continue }
      return count
    }
    return 0
  }

  /// The front leaf, and whether a flow handles its steps; `nil` if nothing is visible.
  package func front(of state: State) -> (screen: String, node: NodeID, isHeard: Bool)? {
    guard let record = state.visibleRecord else { return nil }
    return (state.nodes.name(of: record), record.nodeID, record.hearer.map { state.isAlive(flow: $0) } ?? false)
  }

  /// The names of all screens in the tree, without those of waiting modals.
  package func screens(in state: State) -> Set<String> {
    var names: Set<String> = []
    for record in state.nodes.records where record.isLeaf && !Levels.isWaiting(state, record.nodeID) {
      names.insert(state.nodes.name(of: record))
    }
    return names
  }

  /// The index of the first link in file order that matches a URL; `nil` if none does.
  package func link(taking text: String) -> Int? {
    LinkURL(text).flatMap { definition.link(taking: $0).place }
  }

  /// The index of the first link in file order that matches a URL, with its captures; `nil` if none matches.
  package func captures(of text: String) -> (link: Int, captures: [String: String])? {
    guard let url = LinkURL(text), case let taken = definition.link(taking: url), let place = taken.place else { return nil }
    return (place, taken.captures)
  }
}

extension State {
  /// The OAuth state of the newest login page; `nil` if none is open.
  package var newestAuthorization: String? {
    nodes.records.compactMap { nodes.storedDetails(of: $0)?.authorization }.last
  }

  /// The number of modals that wait for their level.
  package var waitingCount: Int { nodes.waiting.count }

  /// The number of children of the largest stack, and the number of layers.
  package var heights: (stack: Int, layers: Int) {
    var stack = 0
    for record in nodes.records where record.rules?.takesPushes(record, in: nodes) == true { stack = max(stack, Int(record.childCount)) }
    return (stack, nodes.modals.count + 1)
  }
}

extension Effect {
  /// The next time after `now` at which an effect is due, in milliseconds since 1970. A request is due at its deadline.
  package func due(after now: WideInt) -> WideInt {
    if isRequest { return endOfCall ?? .max }
    return due(tick: max(ticks, ticks(until: now)).addingSaturated(1))
  }
}
