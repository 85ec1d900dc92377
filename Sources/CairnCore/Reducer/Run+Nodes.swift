// Making and removing nodes: the only two ways in and out of the tree.
extension Run {
  /// Makes the node of a contribution and what it is born with; its parent does not know it yet. Start steps are collected.
  mutating func make(_ contribution: Contribution, owner: NodeID?, parent: NodeID?, scope: Scope) throws(Refusal) -> NodeID {
    try checkRoom(below: parent)
    let id = NodeID(state.nextNode)
    state.nextNode += 1
    switch contribution.target {
    case .screen(let screen):
      state[id] = Node(id: id, kind: .screen, name: screen, owner: owner, parent: parent)
      try furnish(id, screen: screen, contribution, scope: scope)
    case .flow(let flow):
      guard let flowDefinition = definition.flows[flow] else { throw Refusal(.flowGone, "there is no flow \(flow)") }
      state[id] = Node(id: id, kind: flowDefinition.container.kind, name: flow, flow: flow, owner: owner, parent: parent)
      try furnish(id, screen: nil, contribution, scope: scope)
      for template in contribution.start {
        turn.starts.append(Item(step: try step(from: template, in: scope), receiver: .flow(id)))
      }
      if let broadcast = turn.broadcast {
        turn.starts.append(Item(step: broadcast, receiver: .flow(id), isBroadcast: true))
      }
      try bear(flowDefinition, as: id)
    }
    return id
  }

  /// Gives a new node its params, its content and its effects.
  private mutating func furnish(
    _ id: NodeID, screen: String?, _ contribution: Contribution, scope: Scope
  ) throws(Refusal) {
    authorizationWasRead = false
    let given = values(of: contribution.with, in: scope)
    if let screen {
      let (params, faults) = ParameterDefinition.check(given, against: definition.screens[screen]?.params ?? [:])
      if let fault = faults.first {
        throw Refusal(.valueMismatch, "the param \(fault.name) of the screen \(screen) \(fault.fault)")
      }
      state[id]?.params = params
    } else {
      state[id]?.params = given
    }
    if authorizationWasRead { state[id]?.authorization = stamp.nonce }
    state[id]?.listen = contribution.listen
    let left = partialLeft(contribution.left, in: scope)
    state[id]?.left = left
    fillContent(of: id, with: contribution.content, scope: scope)
    if let load = contribution.load { startLoad(load, of: id, scope: scope) }
    for timer in contribution.after { try startTimer(timer, of: id, scope: scope) }
  }

  private mutating func fillContent(of id: NodeID, with expression: Expression?, scope: Scope) {
    guard let expression else { return }
    let content = Content(status: .loaded, value: value(of: expression, in: scope) ?? .null)
    state[id]?.content = content
  }

  /// What a flow is born with.
  private mutating func bear(_ flow: FlowDefinition, as id: NodeID) throws(Refusal) {
    switch flow.birth {
    case .empty: break
    case .root(let root):
      if flow.container == .screen, case .screen(let screen) = root.target {
        state[id]?.name = screen
        try furnishRoot(id, screen, root)
      } else {
        try append(root, to: id, owner: id, scope: Scope())
      }
    case .tabs(let tabs): try fill(id, with: tabs, owner: id, scope: Scope())
    case .split(let master, let detail): try fillSplit(id, master: master, detail: detail, scope: Scope())
    }
  }

  /// A `screen` flow is its root screen: what the push said of the node (params, listening, left) stays beside what the root says.
  private mutating func furnishRoot(_ id: NodeID, _ screen: String, _ root: Contribution) throws(Refusal) {
    var scope = Scope()
    scope.params = state[id]?.params ?? [:]
    let given = values(of: root.with, in: scope).merging(scope.params) { _, pushed in pushed }
    let (params, faults) = ParameterDefinition.check(given, against: definition.screens[screen]?.params ?? [:])
    if let fault = faults.first {
      throw Refusal(.valueMismatch, "the param \(fault.name) of the screen \(screen) \(fault.fault)")
    }
    state[id]?.params = params
    if root.listen.hidden { state[id]?.listen.hidden = true }
    if root.listen.dismissed { state[id]?.listen.dismissed = true }
    if state[id]?.content == nil { fillContent(of: id, with: root.content, scope: scope) }
    if let load = root.load { startLoad(load, of: id, scope: scope) }
    for timer in root.after { try startTimer(timer, of: id, scope: scope) }
  }

  /// Makes a node as the last child of a container.
  mutating func append(_ contribution: Contribution, to container: NodeID, owner: NodeID?, scope: Scope) throws(Refusal) {
    let id = try make(contribution, owner: owner, parent: container, scope: scope)
    state[container]?.children.append(id)
  }

  /// New children in the place of all there are; the first is selected in tabs.
  mutating func fill(
    _ container: NodeID, with contributions: [Contribution], owner: NodeID?, scope: Scope
  ) throws(Refusal) {
    remove(state[container]?.children ?? [])
    if state[container]?.kind == .tabs { state[container]?.selected = 0 }
    for contribution in contributions { try append(contribution, to: container, owner: owner, scope: scope) }
  }

  /// The two panes of a split: a stack of its own for the master, and the detail.
  mutating func fillSplit(_ split: NodeID, master: [Contribution], detail: Contribution, scope: Scope) throws(Refusal) {
    let stack = NodeID(state.nextNode)
    state.nextNode += 1
    state[stack] = Node(id: stack, kind: .stack, name: "master", owner: split, parent: split)
    state[split]?.children.append(stack)
    for contribution in master { try append(contribution, to: stack, owner: split, scope: scope) }
    try append(detail, to: split, owner: split, scope: scope)
  }

  /// Takes nodes out, with all that is below them and presented by them, their effects and their listeners.
  mutating func remove(_ ids: [NodeID]) {
    let roots = Set(ids)
    for parent in Set(ids.compactMap { state[$0]?.parent }) {
      if let modal = state[parent]?.presented, roots.contains(modal) { state[parent]?.presented = nil }
      state[parent]?.children.removeAll(where: roots.contains)
    }
    let gone = ids.flatMap(state.subtree(of:)).compactMap { state[$0] }
    for node in gone {
      state.nodes[node.id] = nil
      if node.flow == nil, node.isLeaf, node.listen.dismissed, let owner = node.owner {
        state.listeners.append(Listener(node: node.id, screen: node.name, flow: owner))
      }
    }
    endChildren(of: Set(gone.lazy.filter { $0.flow != nil }.map(\.id)))
    forgetListeners()
    let owners = Set(gone.map(\.id))
    cancelEffects { effect in effect.owner.map(owners.contains) ?? false }
  }

  /// A flow dies with its parent flow, wherever its own node stands.
  private mutating func endChildren(of flows: Set<NodeID>) {
    guard !flows.isEmpty else { return }
    for child in state.flows(from: flows.sorted()) where !flows.contains(child) { state[child]?.ended = true }
  }

  /// Listeners last until their flow ends.
  mutating func forgetListeners() {
    guard !state.listeners.isEmpty else { return }
    let heard = state.listeners.filter { state.isAlive(flow: $0.flow) }
    state.listeners = Array(heard.suffix(Run.listenerLimit))
  }

  /// Takes nodes out because they were popped or dismissed: their `left` steps go to the flows that hear them.
  mutating func leave(_ ids: [NodeID]) {
    for node in ids.compactMap({ state[$0] }) {
      guard let template = node.left, let hearer = node.owner else { continue }
      do {
        let step = try step(from: template, in: Scope(emitter: node))
        turn.left.append(Item(step: step, receiver: .flow(hearer), emitter: node))
      } catch {
        drop(Step(template.step), error.code.rawValue)
      }
    }
    remove(ids)
  }

  mutating func leave(_ id: NodeID) { leave([id]) }

  /// The params of the step are put in; the content is read when the node leaves.
  private mutating func partialLeft(_ template: StepTemplate?, in scope: Scope) -> StepTemplate? {
    guard let template else { return nil }
    var with = template.with
    for (name, expression) in template.with {
      let readsContent = expression.references.contains { if case .content = $0 { true } else { false } }
      if !readsContent { with[name] = value(of: expression, in: scope).map(Expression.literal) }
    }
    return StepTemplate(template.step, with: with)
  }
}

extension FlowDefinition.Container {
  var kind: Node.Kind {
    switch self {
    case .stack: .stack
    case .tabs: .tabs
    case .split: .split
    case .screen: .screen
    case .oneOf: .oneOf
    }
  }
}
