// Operations on nodes of stacks, which are found by a place.
extension StackOperations {
  /// The nearest node at a place that is on a stack or, with `takesModals`, is a modal. First searches the sender, the nodes that contain
  /// the sender, and the stacks among them, because the user opened the sending screen from there. Throws `screen-not-found` if no node
  /// matches.
  private static func node(
    _ run: borrowing Run, at place: Place, orModal takesModals: Bool = false, in context: borrowing InstructionContext
  ) throws(Refusal) -> NodeID {
    let search = PlaceSearch(place, in: context.scope, run.state, by: run.evaluator)
    let nodes = run.state.nodes
    let speaker = run.state.speaker(context.scope.emitter)
    func isMeant(_ record: NodeRecord) -> Bool { isOnStack(record, in: nodes) || takesModals && record.isPresented(in: nodes) }
    for around in speaker.map({ run.state.ancestors(of: $0, acrossModals: true) }) ?? [] {
      guard let here = nodes.record(around) else { continue }
      for child in here.kind == .stack ? nodes.children(of: here).reversed() : [] {
        if let record = nodes.record(child), search.matches(record) { return child }
      }
      if search.matches(here), isMeant(here) { return around }
    }
    let found = search.nearest(from: speaker, where: isMeant)
    guard let found else { throw Refusal(.screenNotFound, "\(place.name) is not on a stack\(takesModals ? " and not presented" : "")") }
    return found
  }

  private static func isOnStack(_ record: NodeRecord, in nodes: NodeTable) -> Bool {
    guard let parent = nodes.record(record.parent) else { return false }
    return parent.kind == .stack && !record.isPresented(in: nodes)
  }

  /// Performs the operation `popTo`. Throws `screen-not-found` if no node at the place is on a stack. Returns `already-there` if the node
  /// is already on top.
  static func popTo(_ run: inout Run, _ place: Place, in context: borrowing InstructionContext) throws(Refusal) -> NoChange? {
    guard let record = run.state.nodes.record(try node(run, at: place, in: context)), let stack = record.parentID else { return nil }
    return keep(&run, Siblings.index(of: record, in: run.state.nodes) + 1, on: stack)
  }

  /// Performs the operation `bring`. The node keeps its id, content, effects and modals. Returns `already-there` if the node is already on
  /// top.
  static func bring(_ run: inout Run, _ place: Place, in context: borrowing InstructionContext) throws(Refusal) -> NoChange? {
    let node = try node(run, at: place, in: context)
    guard let stack = run.state.nodes.record(node)?.parentID else { return nil }
    let children = run.state.nodes.children(of: stack)
    run.linked?.node = node
    guard children.last != node else { return .alreadyThere }
    do {
      try run.state.nodes.move(children.filter { $0 != node } + [node], to: stack)
    } catch {
      throw Refusal(error, below: Children.name(run, of: stack))
    }
    return nil
  }

  /// Performs the operation `remove`, which keeps the nodes above the removed one. Returns `at-root` if the node is the only one on its
  /// stack, because a stack keeps its last node.
  static func remove(_ run: inout Run, _ place: Place, in context: borrowing InstructionContext) throws(Refusal) -> NoChange? {
    let node = try node(run, at: place, orModal: true, in: context)
    if run.state.isPresented(node) {
      Modals.removeAlone(&run, node)
    } else {
      guard let stack = run.state.nodes.record(node)?.parentID, childCount(run, of: stack) > 1 else { return .atRoot }
      Removal.leave(&run, node)
    }
    return nil
  }

  /// Performs the operation `remove` with `all`: removes each node at the place from its stack, the frontmost first. A stack keeps its last
  /// node. Returns the reason if no node is removed.
  static func removeAll(_ run: inout Run, _ place: Place, scope: Scope) -> NoChange? {
    let nodes = run.state.nodes
    let all = PlaceSearch(place, in: scope, run.state, by: run.evaluator).all { isOnStack($0, in: nodes) }
    var reason: NoChange? = all.isEmpty ? .alreadyThere : .atRoot
    for node in all {
      // The node may already have been removed together with a node that contained it.
      guard let stack = run.state.nodes.record(node)?.parentID, childCount(run, of: stack) > 1 else { continue }
      Removal.leave(&run, node)
      reason = nil
    }
    return reason
  }
}
