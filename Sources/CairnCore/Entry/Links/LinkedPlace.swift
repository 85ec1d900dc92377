/// The place that the steps of a followed link or a tapped notification open. The modals over this place are removed, because a page that
/// opens under a sheet looks as if nothing had happened. Users of React Native and of Turbo have reported this many times.
struct LinkedPlace {
  /// Nodes with this number or a higher one were created by the link.
  let firstNode: WideInt
  /// The last node that the link has created or brought to the front; `nil` if there is none yet. Without a node, no modals are removed.
  var node: NodeID?
}

extension LinkedPlace {
  /// Removes the modals over the place that a followed link has opened, unless they refuse to be removed. Modals on levels and modals that
  /// the link itself has presented are kept. If the dialog of a question is removed, the question ends. Returns whether a modal was
  /// removed. Must be called when the steps of the link and all follow-up steps have been processed.
  @inline(never)
  static func uncover(_ run: inout Run) -> Bool {
    guard let linked = run.linked else { return false }
    run.linked = nil
    guard let node = linked.node, let record = run.state.nodes.record(node), run.state.stands(record) else { return false }
    let refusing = refusing(run)
    var isChanged = false
    for modal in linked.covers(in: run.state) where run.state.stands(modal) && !holds(run.state, modal, any: refusing) {
      Removal.leave(&run, modal)
      isChanged = true
    }
    if isChanged, let dialog = run.state.question?.dialog, !run.state.stands(dialog) { Questions.end(&run, "stayed") }
    if run.state.nodes.record(node).map({ isCovered(run.state, $0, since: linked.firstNode) }) == true { run.report.tell(.covered) }
    run.finishTurn()
    return isChanged
  }

  /// The modals over the place that are older than the link, the newest first. Modals on levels are omitted.
  func covers(in state: State) -> [NodeID] {
    guard let node, state.stands(node) else { return [] }
    return Modals.modals(over: node, in: state).filter { $0.number < firstNode }
  }

  /// The nodes that refuse to be removed by a gesture.
  static func refusing(_ run: borrowing Run) -> [NodeID] {
    guard run.program.hasLeave else { return [] }
    return run.state.nodes.records.filter {
      $0.isGuarded && run.state.nodes.details(of: $0).leave?.ask == nil && Guards.asks($0, run.state, run.evaluator)
    }.map { $0.nodeID }
  }

  /// Whether a modal contains any of these nodes, directly or inside the modals over it.
  static func holds(_ state: State, _ modal: NodeID, any nodes: [NodeID]) -> Bool {
    nodes.contains { state.ancestors(of: $0, acrossModals: true).contains(modal) }
  }

  /// Whether a level, or a modal that is older than the link, still covers the place.
  private static func isCovered(_ state: State, _ record: NodeRecord, since firstNode: WideInt) -> Bool {
    Levels.isBelowLevel(state, record) || Modals.modals(over: record.nodeID, in: state).contains { $0.number < firstNode }
  }
}
