// The operations a handler can name, on the flow that handles the step.
extension Run {
  mutating func perform(_ operation: Operation, in flow: NodeID, scope: Scope) throws(Refusal) {
    switch operation {
    case .push(let contribution):
      let stack = try stackForPush(of: flow)
      try append(contribution, to: stack, owner: flow, scope: scope)
    case .replace(let contribution):
      let stack = try nearestStack(of: flow)
      if let top = state[stack]?.children.last { remove([top]) }
      try append(contribution, to: stack, owner: flow, scope: scope)
    case .set(let contributions):
      let stack = try nearestStack(of: flow)
      try fill(stack, with: contributions, owner: flow, scope: scope)
    case .pop(let count): pop(count, on: try nearestStack(of: flow))
    case .popTo(let screen): try popTo(screen: screen, on: try nearestStack(of: flow))
    case .popToRoot: popToRoot(try nearestStack(of: flow))
    case .remove(let screen): try removeOne(screen: screen, on: try nearestStack(of: flow))
    case .reveal(let screen): try reveal(screen)
    case .present(let contribution, let style, let anchor, let replace):
      let presenter = owner(anchor, in: flow, emitter: scope.emitter) ?? flow
      try present(contribution, style: style, on: presenter, replace: replace, owner: flow, scope: scope)
      if anchor == .screen, let modal = state[presenter]?.presented { state[modal]?.on = presenter }
    case .dismiss: dismiss(in: flow, emitter: scope.emitter?.id)
    case .tabs(let contributions):
      let tabs = try container(.tabs, of: flow, else: .noTabs)
      try fill(tabs, with: contributions, owner: flow, scope: scope)
    case .split(let master, let detail):
      let split = try container(.split, of: flow, else: .noStack)
      remove(state[split]?.children ?? [])
      try fillSplit(split, master: master, detail: detail, scope: scope)
    case .detail(let contribution):
      let split = try container(.split, of: flow, else: .noStack)
      if let panes = state[split]?.children, panes.count > 1 { remove([panes[1]]) }
      try append(contribution, to: split, owner: flow, scope: scope)
    case .select(let selection): try select(selection, from: flow, scope: scope)
    case .show(let child, let screen): try show(child, screen: screen, in: flow, scope: scope)
    case .end(let template): try end(flow, sending: template, scope: scope)
    case .forward(let template, let destination): try forward(template, from: flow, to: destination, scope: scope)
    case .write(let expressions):
      for (fact, expression) in expressions.sorted(by: { $0.key < $1.key }) {
        try write(value(of: expression, in: scope), to: fact)
      }
    case .clear(let facts): for fact in facts { try write(definition.facts[fact]?.type.defaultValue, to: fact) }
    case .content(let edits, let screen): try edit(edits, of: screen, scope: scope)
    case .load(let load, let anchor):
      guard let owner = owner(anchor, in: flow, emitter: scope.emitter) else { return reason = "dismissed" }
      startLoad(load, of: owner, scope: scope)
    case .after(let timer, let anchor):
      guard let owner = owner(anchor, in: flow, emitter: scope.emitter) else { return reason = "dismissed" }
      try startTimer(timer, of: owner, scope: scope)
    case .cancel(let name): cancelEffects(named: name, below: scope.emitter?.id ?? flow)
    case .none: break
    }
  }

  /// The living node that an anchor means; the flow's own where no living screen speaks.
  private func owner(_ anchor: Operation.Anchor, in flow: NodeID, emitter: Node?) -> NodeID? {
    let screen = anchor == .screen ? emitter.flatMap { state[$0.id]?.id } : nil
    return screen ?? state[flow]?.id
  }

  /// The flow's own node, which the definition promises to be of this kind.
  private func container(_ kind: Node.Kind, of flow: NodeID, else code: Refusal.Code) throws(Refusal) -> NodeID {
    guard state[flow]?.kind == kind else {
      throw Refusal(code, "the flow \(state[flow]?.name ?? "") is not a \(kind.rawValue) container")
    }
    return flow
  }

  /// RxFlow's end: the flow and what is below it hear nothing more; its node stays until the parent removes it. At the root
  /// the step is lost, the flows below it end, and the root goes on (E3).
  private mutating func end(_ flow: NodeID, sending template: StepTemplate, scope: Scope) throws(Refusal) {
    let step = try step(from: template, in: scope)
    let ending = state.flows(from: [flow])
    if let parent = state[flow]?.owner {
      turn.ended.append(Item(step: step, receiver: .flow(parent)))
      state[flow]?.ended = true
    } else {
      drop(step, "no-parent", flow: state[flow])
    }
    for child in ending.dropFirst() { state[child]?.ended = true }
    forgetListeners()
  }

  private mutating func forward(
    _ template: StepTemplate, from flow: NodeID, to destination: Operation.Destination, scope: Scope
  ) throws(Refusal) {
    let step = try step(from: template, in: scope)
    switch destination {
    case .current: turn.toCurrent.append(Item(step: step, receiver: .flow(flow), emitter: scope.emitter))
    case .parent:
      guard let parent = state[flow]?.owner else { return drop(step, "no-parent", flow: state[flow]) }
      turn.toParent.append(Item(step: step, receiver: .flow(parent), emitter: scope.emitter))
    }
  }

  /// Writes a fact, nil clears it; rules that name it are judged after the turn, whether or not the value is another one.
  mutating func write(_ value: Value?, to fact: String) throws(Refusal) {
    if let value, let fault = definition.facts[fact]?.type.fault(of: value) {
      throw Refusal(.valueMismatch, "the fact \(fact) \(fault)")
    }
    state.facts[fact] = value
    turn.written.insert(fact)
  }

  /// All edits or none: one that adds to what is not there leaves everything as it is.
  private mutating func edit(_ edits: [ContentEdit], of screen: String?, scope: Scope) throws(Refusal) {
    guard let target = try screen.map({ name throws(Refusal) in try find(name) }) ?? scope.emitter?.id, let node = state[target] else {
      return reason = "dismissed"
    }
    var content = node.content ?? Content(status: .idle)
    var whole = content.value ?? .object([:])
    for edit in edits {
      let path = edit.path.compactMap { value(of: $0, in: scope)?.shortText }
      switch edit.change {
      case .set(let expression): whole.set(value(of: expression, in: scope) ?? .null, at: path)
      case .add(let expression):
        guard let sum = whole.at(path)?.adding(value(of: expression, in: scope)) else { return reason = "not-loaded" }
        whole.set(sum, at: path)
      }
    }
    guard whole.isWithinBounds else { return reason = "value-too-large" }
    content.value = whole
    // What is written is there; a load that still runs will write again.
    content.status = .loaded
    state[target]?.content = content
  }
}

extension Value {
  /// The sum of two numbers; nil if one is none, or if it is out of range.
  fileprivate func adding(_ other: Value?) -> Value? {
    if case .integer(let a) = self, case .integer(let b)? = other {
      let (sum, overflow) = a.addingReportingOverflow(b)
      return overflow ? nil : .integer(sum)
    }
    guard let a = double, let b = other?.double, (a + b).isFinite else { return nil }
    return .reading(a + b)
  }

  private var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}
