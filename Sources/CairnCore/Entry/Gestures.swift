/// The system's gestures, which the definition need not declare.
enum Gestures {
  /// Performs a gesture of a user who saw `from`. If `from` is `nil`, the gesture refers to the nodes that are visible now. A gesture with
  /// a `node` acts on this node. Returns the reason if the gesture has changed nothing.
  static func perform(_ run: inout Run, _ gesture: Gesture, from: NodeID?) throws(Refusal) -> NoChange? {
    let origin = if let from { try GestureOrigin(run, from: from) } else { GestureOrigin(front: run.state) }
    switch gesture {
    case .pop(let count, let node):
      if let node {
        return try pop(&run, from: node)
      } else if let top = stackToPop(run.state, at: origin) {
        return try Asking.keep(&run, max(1, top.count - max(0, count)), on: top.stack)
      } else {
        return .atRoot
      }
    case .popToRoot:
      guard let top = stackToPop(run.state, at: origin) else { return .atRoot }
      return try Asking.keep(&run, 1, on: top.stack)
    case .back: return try back(&run, at: origin)
    case .popTo(.screen(let screen)): return try popTo(&run, screen, at: origin)
    case .popTo(.node(let node)):
      try Checks.checkLiving(run, node, at: "/node")
      try checkInFront(run, node)
      guard let record = run.state.nodes.record(node), let parent = record.parentID, let container = run.state.nodes.record(parent),
        let count = container.rules?.countThrough(record, of: container, in: run.state.nodes)
      else { throw Refusal(.noStack, "\(node) is not on a stack") }
      return try Asking.keep(&run, count, on: parent)
    case .dismiss(let node):
      // A user who saw an overlay wanted to close the overlay.
      let overlay = from.flatMap { run.state.nodes.record($0)?.isOverlay == true ? $0 : nil }
      return try dismissModal(&run, node ?? overlay, at: origin)
    case .select(let selection, let node):
      if let node {
        try Checks.checkLiving(run, node, at: "/node")
        try checkInFront(run, node)
      }
      let around = node ?? origin.endID(in: run.state)
      let tab = try TabsOperations.tab(run, selection, around: around, isGesture: run.definition.covered == .refuse)
      if let record = run.state.nodes.record(tab.tabs), record.selectedIndex == tab.index {
        return try saw(run, record, from) ? reselect(&run, in: tab.tabs) : .alreadySelected
      } else {
        guard run.program.followsGestures else { return TabsOperations.select(&run, at: tab.index, in: tab.tabs) }
        return try Asking.perform(&run, .select(tab: run.state.nodes.children(of: tab.tabs)[tab.index], in: tab.tabs))
      }
    }
  }

  /// Whether `from` is inside the selected tab; true if `from` is `nil`. If it is false, the user saw another tab, so the tap is a
  /// selection of this tab. It must not count as a tap on the selected tab, which would remove nodes that the user has not seen.
  private static func saw(_ run: borrowing Run, _ tabs: NodeRecord, _ from: NodeID?) -> Bool {
    guard let from, let tab = run.state.front(of: tabs) else { return true }
    return run.state.ancestors(of: from, acrossModals: true).contains(tab)
  }

  /// The last node of the visible path; the root if nothing is visible.
  static func visibleEnd(_ run: borrowing Run) -> NodeID { run.state.visibleEnd?.nodeID ?? run.state.root }

  /// Throws `hidden` if a higher level or a modal covers the node, so that no gesture can reach it. With `covered: accept`, only levels
  /// count.
  static func checkInFront(_ run: borrowing Run, _ node: NodeID) throws(Refusal) {
    if let record = run.state.nodes.record(node) {
      try Levels.checkLevel(run, record)
      if record.isOverlay { return }
    }
    guard run.definition.covered == .refuse, run.state.layer(of: node) != run.state.frontLayer else { return }
    throw Refusal(
      .hidden, "\(Children.name(run, of: node)) (\(node)) is covered by \(Children.name(run, of: run.state.frontLayer)); dismiss it first"
    )
  }

  /// Pops a node and all nodes above it. If the node is at the bottom of a stack within a stack, the whole inner stack is popped from the outer one. Returns
  /// `at-root` if nothing can be popped. Throws `no-stack` if the node is on no stack.
  private static func pop(_ run: inout Run, from node: NodeID) throws(Refusal) -> NoChange? {
    try Checks.checkLiving(run, node, at: "/node")
    try checkInFront(run, node)
    var target = node
    while let record = run.state.nodes.record(target), let parent = record.parentID, !record.isPresented(in: run.state.nodes),
      let container = run.state.nodes.record(parent)
    {
      if let count = container.rules?.countThrough(record, of: container, in: run.state.nodes) {
        if count > 1 { return try Asking.keep(&run, count - 1, on: parent) }
        guard target == node || container.isFlow else { break }
      } else if target == node {
        throw Refusal(.noStack, "\(node) is not on a stack")
      } else if container.rules?.endsPop == true {
        break
      }
      target = parent
    }
    if target == node, run.state.nodes.record(target)?.parentID == nil || run.state.isPresented(target) {
      throw Refusal(.noStack, "\(node) is not on a stack")
    }
    return .atRoot
  }

  /// Pops to the topmost instance of a screen, on the innermost stack around the origin that contains one. Throws `screen-not-found` if there is none.
  private static func popTo(_ run: inout Run, _ screen: String, at origin: GestureOrigin) throws(Refusal) -> NoChange? {
    for ancestor in run.state.ancestors(of: origin.endID(in: run.state), acrossModals: false) {
      guard let record = run.state.nodes.record(ancestor),
        let stack = record.rules?.stack(of: record, in: run.state.nodes), stack.rules?.takesPushes(stack, in: run.state.nodes) == true
      else { continue }
      if let index = run.state.nodes.children(of: stack).lastIndex(where: { run.state.isScreen($0, named: screen) }) {
        return try Asking.keep(&run, index + 1, on: stack.nodeID)
      }
    }
    guard run.definition.screens.contains(exactly: screen) else {
      throw Refusal(
        .invalid, "\(run.definition.app) has no screen \(screen)",
        faults: [.init(pointer: "/screen", detail: "must be one of \(run.definition.screens.keys.sorted().joined(separator: ", "))")])
    }
    throw Refusal(.screenNotFound, "the screen \(screen) is not on the visible stack")
  }

  private static func dismissModal(_ run: inout Run, _ node: NodeID?, at origin: GestureOrigin) throws(Refusal) -> NoChange? {
    if let node {
      try Checks.checkLiving(run, node, at: "/node")
      guard run.state.isPresented(node) else {
        throw Refusal(.invalid, "\(node) is not presented", faults: [.init(pointer: "/node", detail: "must be a presented node")])
      }
      try checkInFront(run, node)
      return try Asking.perform(&run, .remove(node))
    }
    guard origin.layer != run.state.root else { return .nothingPresented }
    return try Asking.perform(&run, .remove(origin.layer))
  }
}
