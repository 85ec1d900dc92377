/// Sends the `seen` and `unseen` steps of nodes when the user sees them or no longer sees them.
///
/// A screen is seen if nothing except alerts covers it. An alert takes the focus, but the page behind it is still seen: React Navigation's
/// `focus` changes with each dialog, and its users had to distinguish these changes from real ones. Both panes of a split are seen. A flow
/// is seen if a screen in it is seen.
enum Sight {
  /// Queues the steps of the nodes that the user has begun or ceased to see. Sends no step to removed nodes. Returns false if no node has come into
  /// sight or left it. Must be called when all turns have run and all held links have been followed, so that no step is sent for a page that was in
  /// front only between two steps of an action.
  @inline(never)
  static func tell(_ run: inout Run) -> Bool {
    let before = run.state.sightBook
    let seen = seen(run)
    let shown = seen.filter { before[$0]?.isSeen != true }
    let hidden = before.sightings.filter { $0.isSeen && !seen.contains($0.node) && run.state.stands($0.node) }.map { $0.node }
    note(&run, seen, isTold: true)
    for node in inTreeOrder(hidden, run.state) { send(&run, from: node, isSeen: false, isFirst: nil) }
    for node in shown { send(&run, from: node, isSeen: true, isFirst: before[node]?.wasTold != true) }
    run.turns.finish()
    return !shown.isEmpty || !hidden.isEmpty
  }

  /// Records which nodes the user sees now, without sending a step. Used when a state replaces another one without an action.
  static func note(_ run: inout Run) {
    // If no page of the app sends such steps, nothing else removes the existing records.
    guard run.program.followsSight else {
      if !run.state.sightings.isEmpty { run.state.sightings = [] }
      return
    }
    note(&run, seen(run), isTold: false)
  }

  private static func note(_ run: inout Run, _ seen: [NodeID], isTold: Bool) {
    var book = run.state.sightBook
    let state = run.state
    book.note(seen: seen, remaining: state.stands, isTold: isTold)
    // An unchanged value is not written: a write would copy the parts of the state that are stored with it.
    if book != state.sightBook { run.state.sightBook = book }
  }

  /// The nodes with `seen` or `unseen` steps that the user sees now, in the order of the tree.
  private static func seen(_ run: borrowing Run) -> [NodeID] {
    run.state.seenNodes.filter { id in run.state.nodes.record(id).map { steps(run, of: $0).followsSight } ?? false }
  }

  private static func inTreeOrder(_ ids: [NodeID], _ state: State) -> [NodeID] {
    ids.count < 2 ? ids : state.subtree(of: state.root).filter { ids.contains($0) }
  }

  /// The steps of a node. The node's own steps have priority over those of its screen.
  private static func steps(_ run: borrowing Run, of record: NodeRecord) -> NodeSteps {
    let steps = run.state.nodes.details(of: record).steps
    return record.isLeaf ? steps.withSight(of: run.program.screen(of: record)?.steps ?? NodeSteps()) : steps
  }

  private static func send(_ run: inout Run, from id: NodeID, isSeen: Bool, isFirst: Bool?) {
    guard let record = run.state.nodes.record(id) else { return }
    run.report.note(Event(isSeen ? .seen : .unseen, node: id, isFirst: isFirst))
    let steps = steps(run, of: record)
    // A `screen` flow handles the steps of its own page. Any other node sends these steps, like its `removed` step, to the flow that
    // created it.
    let receiver = record.isLeaf ? record.handlingFlow : record.ownerID
    guard let template = isSeen ? steps.seen : steps.unseen, let receiver else { return }
    let emitter = Emitter(record, in: run.state)
    do {
      try Sending.send(
        &run, run.program.compile(template), as: .sight, by: receiver, emitter: emitter, otherwise: receiver,
        scope: Scope(emitter: emitter, flow: record.handlingFlow, isFirstSight: isFirst))
    } catch {
      run.drop(Step(template.step), error.code.rawValue)
    }
  }
}

extension State {
  /// The screens that the user sees and the containers around them, lower layers first, the master of a split before its detail, overlays last. Only
  /// alerts, including alerts on levels, leave the nodes that they cover in sight.
  var seenNodes: [NodeID] {
    let all = layers
    let lowest = all.lastIndex { nodes.record($0)?.style != .alert } ?? 0
    var seen: [NodeID] = []
    for layer in all.dropFirst(lowest) {
      for leaf in leaves(seenIn: layer).reversed() {
        for node in ancestors(of: leaf.nodeID, acrossModals: false).reversed() where !seen.contains(node) { seen.append(node) }
      }
    }
    return seen + (nodes.levels.allSatisfy { nodes.record($0)?.style == .alert } ? nodes.overlays : [])
  }
}
