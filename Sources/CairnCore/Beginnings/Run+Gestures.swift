// What a system's own gestures do, always allowed; and raw operations, for apps whose primitives are open.
extension Run {
  mutating func gesture(_ action: Action) throws(Refusal) {
    switch action {
    case .pop(let count, let node):
      if let node {
        try pop(from: node)
      } else if let stack = state.stackToPop {
        try askAndKeep(max(1, childCount(of: stack) - max(0, count)), on: stack)
      } else {
        reason = "at-root"
      }
    case .popToRoot:
      if let stack = state.stackToPop { try askAndKeep(1, on: stack) } else { reason = "at-root" }
    case .back: try back()
    case .popTo(.screen(let screen)): try popTo(visible: screen)
    case .popTo(.node(let node)):
      try checkLiving(node, at: "/node")
      try checkInFront(node)
      guard let record = state.nodes.record(node), let parent = record.parentID, let container = state.nodes.record(parent),
        let count = container.rules?.countThrough(record, of: container, in: state.nodes)
      else { throw Refusal(.noStack, "\(node) is not on a stack") }
      try askAndKeep(count, on: parent)
    case .dismiss(let node): try dismissModal(node)
    case .select(let selection, let node):
      if let node {
        try checkLiving(node, at: "/node")
        try checkInFront(node)
      }
      let tab = try tab(selection, around: node ?? visibleEnd, isGesture: definition.covered == .refuse)
      if state.nodes.record(tab.tabs)?.selectedIndex == tab.index { try reselect(in: tab.tabs) } else { select(tab.index, in: tab.tabs) }
    default: break
    }
  }

  /// The end of the visible path; the root where nothing is shown.
  private var visibleEnd: NodeID { state.visibleEnd?.nodeID ?? state.root }

  func checkLiving(_ node: NodeID, at pointer: String) throws(Refusal) {
    guard !state.stands(node) else { return }
    try checkIssued(node, at: pointer)
    throw Refusal(.dismissed, "\(node) is gone")
  }

  /// A gesture is made on what is in front: what a modal covers has none, unless the definition lets what is covered count.
  private func checkInFront(_ node: NodeID) throws(Refusal) {
    if let record = state.nodes.record(node) { try checkLevel(record) }
    guard definition.covered == .refuse, state.layer(of: node) != state.frontLayer else { return }
    throw Refusal(.hidden, "\(name(of: node)) (\(node)) is covered by \(name(of: state.frontLayer)): dismiss that first")
  }

  /// Pops a node and all above it. At the bottom of a stack inside a stack, that inner stack goes.
  private mutating func pop(from node: NodeID) throws(Refusal) {
    try checkLiving(node, at: "/node")
    try checkInFront(node)
    var target = node
    while let record = state.nodes.record(target), let parent = record.parentID, !state.isPresented(record),
      let container = state.nodes.record(parent)
    {
      if let count = container.rules?.countThrough(record, of: container, in: state.nodes) {
        if count > 1 { return try askAndKeep(count - 1, on: parent) }
        guard target == node || container.isFlow else { break }
      } else if target == node {
        throw Refusal(.noStack, "\(node) is not on a stack")
      } else if container.rules?.endsPop == true {
        break
      }
      target = parent
    }
    if target == node, state.nodes.record(target)?.parentID == nil || state.isPresented(target) {
      throw Refusal(.noStack, "\(node) is not on a stack")
    }
    reason = "at-root"
  }

  /// The instance nearest to the top, in the visible stack, then in the ones around it.
  private mutating func popTo(visible screen: String) throws(Refusal) {
    for ancestor in state.ancestors(of: visibleEnd, acrossModals: false) {
      guard let record = state.nodes.record(ancestor),
        let stack = record.rules?.stack(of: record, in: state.nodes), stack.rules?.takesPushes(stack, in: state.nodes) == true
      else { continue }
      if let index = state.nodes.children(of: stack).lastIndex(where: { state.isScreen($0, named: screen) }) {
        return try askAndKeep(index + 1, on: stack.nodeID)
      }
    }
    guard definition.screens.value(exactly: screen) != nil else {
      throw Refusal(
        .invalid, "\(definition.app) has no screen \(screen)",
        faults: [.init(pointer: "/screen", detail: "must be one of \(definition.screens.keys.sorted().joined(separator: ", "))")])
    }
    throw Refusal(.screenNotFound, "there is no \(screen) on the visible stack")
  }

  private mutating func dismissModal(_ node: NodeID?) throws(Refusal) {
    if let node {
      try checkLiving(node, at: "/node")
      guard state.isPresented(node) else {
        throw Refusal(.invalid, "\(node) is not presented", faults: [.init(pointer: "/node", detail: "must be a presented node")])
      }
      try checkInFront(node)
      return try askAndLeave(node)
    }
    let layers = state.layers
    guard layers.count > 1, let front = layers.last else { return reason = "nothing-presented" }
    try askAndLeave(front)
  }

  mutating func primitive(_ action: Action) throws(Refusal) {
    guard definition.primitives == .open else {
      throw Refusal(
        .primitivesClosed,
        "\(definition.app) takes no \(action.typeName ?? "") from clients: post a step, or say primitives: open in its definition")
    }
    let leaf = visibleEnd
    let owner = state.hearer(of: leaf) ?? state.root
    switch action {
    case .push(let route):
      let mold = try mold(route, at: "")
      try append(mold, to: try nearestStack(of: leaf), owner: owner, scope: Scope())
    case .present(let route, let style, let node, let replace):
      if let node {
        try checkLiving(node, at: "/node")
        if let record = state.nodes.record(node) { try checkLevel(record) }
      }
      let mold = try mold(route, at: "")
      if replace, let modal = state.nodes.record(node ?? leaf)?.presentedID, try isAnswered([modal]) { return }
      try present(mold, style: style, on: node ?? leaf, replace: replace, owner: owner, scope: Scope())
    case .set(let routes):
      let stack = try nearestStack(of: leaf)
      var molds: [Mold] = []
      for (index, route) in routes.enumerated() { molds.append(try mold(route, at: "/stack/\(index)")) }
      guard !molds.isEmpty else {
        throw Refusal(.invalid, "a stack is never empty", faults: [.init(pointer: "/stack", detail: "must hold at least one route")])
      }
      guard try !isAnswered(state.nodes.children(of: stack).reversed()) else { return }
      let hearer = state.nodes.record(stack)?.isFlow == true ? stack : owner
      try fill(stack, with: molds, owner: hearer, scope: Scope())
    case .remove(let node):
      try checkLiving(node, at: "/node")
      try checkInFront(node)
      guard let parent = state.nodes.record(node)?.parentID, let container = state.nodes.record(parent),
        container.rules?.takesPushes(container, in: state.nodes) == true
      else {
        throw Refusal(.noStack, "\(node) is not on a stack")
      }
      guard childCount(of: parent) > 1 else { return reason = "at-root" }
      try askAndLeave(node)
    default: break
    }
  }

  /// A screen with the params that a client gave, as they are.
  private func mold(_ route: Action.Route, at pointer: String) throws(Refusal) -> Mold {
    guard let screen = definition.screens.value(exactly: route.screen) else {
      let known = definition.screens.keys.sorted().joined(separator: ", ")
      throw Refusal(
        .invalid, "\(definition.app) has no screen \(route.screen)",
        faults: [.init(pointer: "\(pointer)/screen", detail: "must be one of \(known)")])
    }
    let params = try check(route.params, against: screen.params, of: "the screen \(route.screen)", at: "\(pointer)/params")
    return program.mold(screen: route.screen, params: params)
  }
}
