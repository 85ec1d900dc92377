// What a system's own gestures do, always allowed; and raw operations, for apps whose primitives are open.
extension Run {
  mutating func gesture(_ action: Action) throws(Refusal) {
    switch action {
    case .pop(let count, let node):
      if let node {
        try pop(from: node)
      } else if let stack = visibleStack(where: { $0.children.count > 1 }) {
        pop(count, on: stack)
      } else {
        reason = "at-root"
      }
    case .popToRoot:
      if let stack = visibleStack(where: { $0.children.count > 1 }) { popToRoot(stack) } else { reason = "at-root" }
    case .popTo(.screen(let screen)): try popTo(visible: screen)
    case .popTo(.node(let node)):
      try checkLiving(node, at: "/node")
      guard let parent = state[node]?.parent, state[parent]?.kind == .stack, let index = state[parent]?.children.firstIndex(of: node)
      else { throw Refusal(.noStack, "\(node) is not on a stack") }
      keep(index + 1, on: parent)
    case .dismiss(let node): try dismissModal(node)
    case .select(let selection, let node):
      if let node { try checkLiving(node, at: "/node") }
      try select(selection, around: node ?? state.visiblePath.last ?? state.root)
    default: break
    }
  }

  func checkLiving(_ node: NodeID, at pointer: String) throws(Refusal) {
    guard state[node] == nil else { return }
    try checkIssued(node, at: pointer)
    throw Refusal(.dismissed, "\(node) is gone")
  }

  /// The innermost stack of the front layer that a back gesture can act on. A split's is its master.
  private func visibleStack(where fits: (Node) -> Bool) -> NodeID? {
    for ancestor in state.ancestors(of: state.visiblePath.last ?? state.root, acrossModals: false) {
      guard let node = state[ancestor] else { continue }
      if node.kind == .stack, fits(node) { return ancestor }
      if node.kind == .split, let master = node.children.first.flatMap({ state[$0] }), fits(master) { return master.id }
    }
    return nil
  }

  /// Pops a node and all above it. At the bottom of a stack inside a stack, that inner stack goes.
  private mutating func pop(from node: NodeID) throws(Refusal) {
    try checkLiving(node, at: "/node")
    var target = node
    while let parent = state[target]?.parent, !state.isPresented(target) {
      if state[parent]?.kind == .stack, let index = state[parent]?.children.firstIndex(of: target) {
        if index > 0 { return keep(index, on: parent) }
        guard target == node || state[parent]?.flow != nil else { break }
      } else if target == node {
        throw Refusal(.noStack, "\(node) is not on a stack")
      } else if state[parent]?.kind == .tabs {
        break
      }
      target = parent
    }
    if target == node, state[target]?.parent == nil || state.isPresented(target) { throw Refusal(.noStack, "\(node) is not on a stack") }
    reason = "at-root"
  }

  /// The instance nearest to the top, in the visible stack, then in the ones around it.
  private mutating func popTo(visible screen: String) throws(Refusal) {
    for ancestor in state.ancestors(of: state.visiblePath.last ?? state.root, acrossModals: false) {
      let stack = state[ancestor]?.kind == .split ? state[ancestor]?.children.first ?? ancestor : ancestor
      guard state[stack]?.kind == .stack else { continue }
      if state[stack]?.children.contains(where: { state[$0]?.name == screen }) == true { return try popTo(screen: screen, on: stack) }
    }
    guard definition.screens[screen] != nil else {
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
      return leave(node)
    }
    let layers = state.layers
    guard layers.count > 1, let front = layers.last else { return reason = "nothing-presented" }
    leave(front)
  }

  mutating func primitive(_ action: Action) throws(Refusal) {
    guard definition.primitives == .open else {
      throw Refusal(
        .primitivesClosed,
        "\(definition.app) takes no \(action.typeName ?? "") from clients: post a step, or say primitives: open in its definition")
    }
    let leaf = state.visiblePath.last ?? state.root
    let owner = state[leaf].flatMap(state.hearer(of:)) ?? state.root
    switch action {
    case .push(let route):
      let contribution = try contribution(route, at: "")
      try append(contribution, to: try nearestStack(of: leaf), owner: owner, scope: Scope())
    case .present(let route, let style, let node, let replace):
      if let node { try checkLiving(node, at: "/node") }
      let contribution = try contribution(route, at: "")
      try present(contribution, style: style, on: node ?? leaf, replace: replace, owner: owner, scope: Scope())
    case .set(let routes):
      let stack = try nearestStack(of: leaf)
      var contributions: [Contribution] = []
      for (index, route) in routes.enumerated() { contributions.append(try contribution(route, at: "/stack/\(index)")) }
      guard !contributions.isEmpty else {
        throw Refusal(.invalid, "a stack is never empty", faults: [.init(pointer: "/stack", detail: "must hold at least one route")])
      }
      let hearer = state[stack]?.flow != nil ? stack : owner
      try fill(stack, with: contributions, owner: hearer, scope: Scope())
    case .remove(let node):
      try checkLiving(node, at: "/node")
      guard let parent = state[node]?.parent, state[parent]?.kind == .stack else { throw Refusal(.noStack, "\(node) is not on a stack") }
      guard (state[parent]?.children.count ?? 0) > 1 else { return reason = "at-root" }
      leave(node)
    default: break
    }
  }

  private func contribution(_ route: Action.Route, at pointer: String) throws(Refusal) -> Contribution {
    guard let screen = definition.screens[route.screen] else {
      let known = definition.screens.keys.sorted().joined(separator: ", ")
      throw Refusal(
        .invalid, "\(definition.app) has no screen \(route.screen)",
        faults: [.init(pointer: "\(pointer)/screen", detail: "must be one of \(known)")])
    }
    let params = try check(route.params, against: screen.params, of: "the screen \(route.screen)", at: "\(pointer)/params")
    return Contribution(.screen(route.screen), with: params.mapValues(Expression.literal))
  }
}
