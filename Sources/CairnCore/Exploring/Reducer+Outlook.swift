// The view of a state that an exploration needs, beside a client's view.
extension Reducer {
  /// A reducer that leaves a trail. Both reducers make the same states.
  package init(_ reducer: Reducer, leaving trail: Trail) {
    program = Program(reducer.definition, trail: trail, names: reducer.program.names)
  }

  /// Whether a condition holds in a state, no screen speaking.
  package func holds(_ condition: Guard, in state: State) -> Bool {
    Evaluator(program: program, stamp: Stamp(time: state.manualTime ?? 0, nonce: "")).holds(condition, in: Scope(), state)
  }

  /// The loads that a later state has newly, and that had to wait because they started themselves again.
  package func restarts(from old: State, to new: State) -> [Effect] {
    new.effectsStarted(since: old).filter { effect in
      switch effect.work {
      case .value(_, let delay, let then, let otherwise), .request(_, _, let delay, let then, let otherwise, _):
        delay == Restarts.interval && [then, otherwise].contains { $0.map { program.restarts.ends.contains($0.step) } ?? false }
      case .timer, .exchange: false
      }
    }
  }

  /// The screens of the stacks in front that can be gone back to, each name once.
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

  /// How many tabs there are to select.
  func tabCount(in state: State) -> Int {
    let end = state.visibleEnd?.nodeID ?? state.root
    for ancestor in state.ancestors(of: end, acrossModals: definition.covered == .accept) {
      guard let record = state.nodes.record(ancestor), let count = record.rules?.selectableCount(of: record) else { continue }
      return count
    }
    return 0
  }

  /// The leaf in front, and whether a flow handles its steps; `nil` if nothing is shown.
  package func front(of state: State) -> (screen: String, node: NodeID, isHeard: Bool)? {
    guard let record = state.visibleRecord else { return nil }
    return (state.nodes.name(of: record), record.nodeID, record.hearer.map { state.isAlive(flow: $0) } ?? false)
  }

  /// The names of all screens in the tree; those of modals that wait are in none.
  package func screens(in state: State) -> Set<String> {
    var names: Set<String> = []
    for record in state.nodes.records where record.isLeaf && !Levels.isWaiting(state, record.nodeID) {
      names.insert(state.nodes.name(of: record))
    }
    return names
  }

  /// The first link in file order that takes a URL, by its place in the definition; nil: none does.
  package func link(taking text: String) -> Int? {
    LinkURL(text).flatMap { definition.link(taking: $0).place }
  }

  /// The first link in file order that takes a URL, by its place in the definition, and what it captures; nil: none does.
  package func captures(of text: String) -> (link: Int, captures: [String: String])? {
    guard let url = LinkURL(text), case let taken = definition.link(taking: url), let place = taken.place else { return nil }
    return (place, taken.captures)
  }
}

extension State {
  /// The OAuth state of the newest login page; nil: none is open.
  package var newestAuthorization: String? {
    nodes.records.compactMap { nodes.storedDetails(of: $0)?.authorization }.last
  }

  /// How many modals wait for their level.
  package var waitingCount: Int { nodes.waiting.count }

  /// How many children the fullest stack has, and how many layers lie over each other.
  package var heights: (stack: Int, layers: Int) {
    var stack = 0
    for record in nodes.records where record.rules?.takesPushes(record, in: nodes) == true { stack = max(stack, Int(record.childCount)) }
    return (stack, nodes.modals.count + 1)
  }
}

extension Effect {
  /// The next time after `now` at which a clock has to look at it, milliseconds since 1970: a request ends at its deadline.
  package func due(after now: WideInt) -> WideInt {
    if isRequest { return endOfCall ?? .max }
    return due(tick: max(ticks, ticks(until: now)).addingSaturated(1))
  }
}
