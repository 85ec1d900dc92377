/// Checks the guards of nodes that a gesture would dismiss. Operations of handlers and links ignore guards.
enum Asking {
  /// Checks the guards of the nodes that a gesture would dismiss, before anything changes. Returns true if a guarded node has sent its step
  /// instead and the turn of that step has run. Throws if a node cannot be dismissed by a gesture.
  static func isAnswered(_ run: inout Run, _ going: [NodeID]) throws(Refusal) -> Bool {
    guard let record = Asking.guarding(run.state, going) else { return false }
    guard case .ask(let template) = run.state.nodes.details(of: record).leave, let handlingFlow = record.handlingFlow else {
      throw Refusal(
        .guarded, "\(run.state.nodes.name(of: record)) (\(record.nodeID)) cannot be dismissed by a gesture; post a step that removes it")
    }
    let emitter = Emitter(record, in: run.state)
    run.report.noteGuarded()
    try Sending.sendNow(&run, run.program.compile(template), by: handlingFlow, emitter: emitter, scope: Scope(emitter: emitter))
    return true
  }

  /// Pops a stack to its first `count` children for a gesture, unless a guarded node sends its step instead.
  static func askAndKeep(_ run: inout Run, _ count: Int, on stack: NodeID) throws(Refusal) -> NoChange? {
    if run.program.hasLeave, try isAnswered(&run, run.state.nodes.children(of: stack).dropFirst(count).reversed()) { return nil }
    return StackOperations.keep(&run, count, on: stack)
  }

  /// Removes a node for a gesture, unless a guarded node in it sends its step instead.
  static func askAndLeave(_ run: inout Run, _ node: NodeID) throws(Refusal) -> NoChange? {
    if run.program.hasLeave, try isAnswered(&run, [node]) { return nil }
    Removal.leave(&run, node)
    return nil
  }

  /// The first guarded node, front first, among the given nodes, their descendants and the modals over them; `nil` if there is none. Nodes that have ended, or
  /// whose flow has ended, are not guarded. Nodes on levels that would be dismissed with the given ones are searched first.
  static func guarding(_ state: State, _ going: [NodeID]) -> NodeRecord? {
    let raised = raised(state, goingWith: going)
    let windows = raised.isEmpty ? [] : state.nodes.levels.reversed().filter { raised.contains($0) && !going.contains($0) }
    for root in windows.flatMap({ layers(state, in: [$0]) }) + layers(state, in: going) {
      for id in layer(state, below: root).reversed() {
        guard let record = state.nodes.record(id), record.isGuarded, record.handlingFlow.map({ state.isAlive(flow: $0) }) ?? false else {
          continue
        }
        return record
      }
    }
    return nil
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
  private static func layer(_ state: State, below id: NodeID) -> [NodeID] {
    var found: [NodeID] = []
    var open = [id]
    while let next = open.popLast() {
      found.append(next)
      guard let record = state.nodes.record(next), record.childCount > 0 else { continue }
      let front = state.front(of: record)
      if let front { open.append(front) }
      open += state.nodes.children(of: record).reversed().filter { $0 != front }
    }
    return found
  }
}
