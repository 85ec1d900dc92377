// Queries about a state that only `explore` needs.
extension Reducer {
  /// A reducer that creates the same states as `reducer`, and records in `trail` the branches that run.
  package init(_ reducer: Reducer, leaving trail: Trail) {
    program = Program(reducer.definition, trail: trail, names: reducer.program.names, zones: reducer.program.zoneData)
  }

  /// Whether a condition is true in a state, without a sending screen.
  package func holds(_ condition: Guard, in state: State) -> Bool {
    Evaluator(program: program, stamp: Stamp(time: state.manualTime ?? 0, nonce: "")).holds(condition, in: Scope(), state)
  }

  #if !CLIENT_ENGINE
    /// The loads that were started after `old` and delayed because they restart themselves.
    package func restarts(from old: State, to new: State) -> [Effect] {
      new.effectsStarted(since: old).filter { effect in
        switch effect.work {
        case .value(_, let delay, let then, let otherwise), .request(_, _, let delay, let then, let otherwise, _):
          delay == Restarts.interval && [then, otherwise].contains { $0.map { program.restarts.ends.contains($0.step) } ?? false }
        case .timer, .exchange, .message: false
        }
      }
    }
  #endif

  /// The distinct names of the screens to which the user can pop: those below the top of the stacks around the visible node.
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

  /// The number of tabs in the nearest tab container around the visible node; 0 if there is none.
  func tabCount(in state: State) -> Int {
    let end = state.visibleEnd?.nodeID ?? state.root
    for ancestor in state.ancestors(of: end, acrossModals: definition.covered == .accept) {
      guard let record = state.nodes.record(ancestor), let count = record.rules?.selectableCount(of: record) else { continue }
      return count
    }
    return 0
  }

  /// The visible leaf in front, and whether a flow that has not ended handles its steps; `nil` if no leaf is visible.
  package func front(of state: State) -> (screen: String, node: NodeID, isHeard: Bool)? {
    guard let record = state.visibleRecord else { return nil }
    return (state.nodes.name(of: record), record.nodeID, record.handlingFlow.map { state.isAlive(flow: $0) } ?? false)
  }

  /// The names of all screens in the tree. Modals that wait for their level are not in the tree.
  package func screens(in state: State) -> Set<String> {
    var names: Set<String> = []
    for record in state.nodes.records where record.isLeaf && !Levels.isWaiting(state, record.nodeID) {
      names.insert(state.nodes.name(of: record))
    }
    return names
  }
}

extension Definition {
  /// The index of the first link in file order that accepts a URL, regardless of its condition `when`; `nil` if no link accepts it.
  package func link(taking text: String) -> Int? {
    LinkURL(text).flatMap { link(taking: $0) { _ in true }.place }
  }

  /// The index of the first link in file order that accepts a URL, and the captured values; `nil` if no link accepts the URL.
  package func captures(of text: String) -> (link: Int, captures: [String: String])? {
    guard let url = LinkURL(text), case let taken = link(taking: url, where: { _ in true }), let place = taken.place else { return nil }
    return (place, taken.captures)
  }
}

extension State {
  /// The OAuth state of the newest login page; `nil` if no login page is open.
  package var newestAuthorization: String? {
    nodes.records.compactMap { nodes.storedDetails(of: $0)?.authorization }.last
  }

  /// The number of modals and overlays that wait for their level or slot.
  package var waitingCount: Int { nodes.waiting.count }

  /// The number of children of the fullest stack, and the number of layers: the app and all modals that are presented on a node.
  package var heights: (stack: Int, layers: Int) {
    var stack = 0
    for record in nodes.records where record.rules?.takesPushes(record, in: nodes) == true { stack = max(stack, Int(record.childCount)) }
    return (stack, nodes.modals.count + 1)
  }
}

extension Effect {
  /// The next time after `now` at which a clock must handle the effect, in milliseconds since 1970. For a request, it is `endOfCall`, or
  /// `.max` if the request has no such time.
  package func due(after now: WideInt) -> WideInt {
    if isRequest { return endOfCall ?? .max }
    // A timer that has waited for its page is due at once.
    return hasWaited ? now : max(now, due(tick: max(ticks, ticks(until: now)).addingSaturated(1)))
  }
}

extension State {
  /// The overlays that a user can touch. Empty if a level is shown, because a level covers the overlays.
  package var touchableOverlays: [NodeID] { nodes.levels.isEmpty ? nodes.overlays : [] }

  /// The steps that overlays may emit, each with the overlay's node.
  package func stepsOfOverlays(by reducer: Reducer) -> [(from: NodeID, step: String)] {
    let program = reducer.program
    return touchableOverlays.compactMap { nodes.record($0) }.flatMap { record in
      program.stepsAccepted(from: record, in: self).numbers.filter { program.steps[$0].accepted != nil }.map {
        (record.nodeID, program.steps[$0].name)
      }
    }
  }
}
