/// Gestures ask what they would take away. Handlers' operations and links ask nobody.
enum Asking {
  /// Asks the nodes that a gesture would take away, before anything changes. True: one of them has answered in the gesture's place, by its
  /// step, whose turn is over; refused: it stays.
  static func isAnswered(_ run: inout Run, _ going: [NodeID]) throws(Refusal) -> Bool {
    guard let record = Asking.guarding(run.state, going) else { return false }
    guard case .ask(let template) = run.state.nodes.details(of: record).leave, let hearer = record.hearer else {
      throw Refusal(.guarded, "\(run.state.nodes.name(of: record)) (\(record.nodeID)) goes by no gesture: post a step that takes it away")
    }
    let emitter = run.state.emitter(record)
    run.report.noteGuarded()
    try Sending.sendNow(&run, run.program.mold(template), by: hearer, emitter: emitter, scope: Scope(emitter: emitter))
    return true
  }

  /// A gesture's pop, until so many are left.
  static func askAndKeep(_ run: inout Run, _ count: Int, on stack: NodeID) throws(Refusal) -> NoChange? {
    if run.program.hasLeave, try isAnswered(&run, run.state.nodes.children(of: stack).dropFirst(count).reversed()) { return nil }
    return StackOperations.keep(&run, count, on: stack)
  }

  /// The same of one node and what is in it.
  static func askAndLeave(_ run: inout Run, _ node: NodeID) throws(Refusal) -> NoChange? {
    if run.program.hasLeave, try isAnswered(&run, [node]) { return nil }
    Removal.leave(&run, node)
    return nil
  }

  /// The first of some nodes, of what is in them and of the modals over it that is asked before it goes: front first. What has ended, or
  /// is heard by a flow that has, asks nobody. What goes with them on a level is in front of them.
  static func guarding(_ state: State, _ going: [NodeID]) -> NodeRecord? {
    let raised = raised(state, goingWith: going)
    let windows = raised.isEmpty ? [] : state.nodes.levels.reversed().filter { raised.contains($0) && !going.contains($0) }
    for root in windows.flatMap({ layers(state, in: [$0]) }) + layers(state, in: going) {
      for id in layer(state, below: root).reversed() {
        guard let record = state.nodes.record(id), record.isGuarded, record.hearer.map({ state.isAlive(flow: $0) }) ?? false else {
          continue
        }
        return record
      }
    }
    return nil
  }

  /// The modals over some nodes, of which the newest is in front, and these.
  private static func layers(_ state: State, in going: [NodeID]) -> [NodeID] {
    guard state.nodes.hasModals else { return going }
    return going.flatMap { state.subtree(of: $0).dropFirst().filter { state.isPresented($0) } }.sorted(by: >) + going
  }

  /// The modals on levels, and those that wait, that belong to flows which would go with some nodes: such flows stand in these nodes, or
  /// come from one that does.
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

  /// A node and what is below it, modals aside: what is in front comes last.
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
