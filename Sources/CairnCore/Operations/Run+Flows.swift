// What a handler says to flows: ends, forwards, facts, content.
extension Run {
  /// The living node that an anchor means; the flow's own where no living screen speaks.
  func anchored(_ anchor: Operation.Anchor, in performance: borrowing Performance) -> NodeID? {
    if anchor == .screen, let emitter = performance.scope.emitter, state.stands(emitter.id) { return emitter.id }
    return state.stands(performance.flow) ? performance.flow : nil
  }

  /// The flow that contributed a flow, also one that this action took away.
  func parent(of flow: NodeID) -> NodeID? { state.nodes.record(flow)?.ownerID ?? parents[flow] }

  /// Who contributes what a flow makes: the flow while it lives; when it has ended, or has just taken itself away, the nearest living
  /// flow that it came from. So no node is there that nobody hears.
  func contributor(for flow: NodeID) -> NodeID {
    var here = flow
    while !state.isAlive(flow: here) {
      guard let parent = parent(of: here) else { return state.root }
      here = parent
    }
    return here
  }

  /// RxFlow's end: the flow and what is below it hear nothing more; its node stays until the parent removes it. At the root
  /// the step is lost, the flows below it end, and the root goes on (E3).
  mutating func end(_ flow: NodeID, sending mold: StepMold, scope: Scope) throws(Refusal) {
    let intent = try step(from: mold, in: scope)
    let ending = state.flows(from: [flow])
    send(intent, to: mold.to ?? .parent, as: .ended, by: flow, emitter: nil, otherwise: flow)
    if parent(of: flow) != nil { stop(flow) }
    for child in ending.dropFirst() { stop(child) }
    forgetListeners()
    removeOrphans()
  }

  mutating func forward(_ mold: StepMold, in performance: borrowing Performance) throws(Refusal) {
    let (flow, scope) = (performance.flow, performance.scope)
    let destination = mold.to ?? .parent
    send(
      try step(from: mold, in: scope), to: destination, as: destination == .current ? .toCurrent : .toParent, by: flow,
      emitter: scope.emitter, otherwise: flow)
  }

  /// Writes a fact, nil sets it back to its default, or takes it away; rules that name it are judged after the turn, whether or not
  /// the value is another one.
  mutating func write(_ value: Value?, to fact: String) throws(Refusal) {
    let type = definition.facts[fact]?.type
    if let value, let fault = type?.fault(of: value) {
      throw Refusal(.valueMismatch, "the fact \(fact) \(fault)")
    }
    if let value {
      try meter.write(State.itemSize)
      try meter.write(value, as: "the fact", fact)
    }
    state.facts[fact] = value ?? type?.defaultValue
    turns.note(written: fact)
  }

  /// Where an edit writes. A member that is not there must not make another path of it.
  private func path(of edit: ContentEdit, _ scope: Scope) throws(Refusal) -> [String] {
    var path: [String] = []
    for member in edit.path {
      let value = value(of: member, in: scope)
      guard let word = value?.word else {
        let what = value.map { "of type \($0.kindName)" } ?? "not there"
        throw Refusal(.valueMismatch, "a member of the content's path is \(what); it must be a string, a number or a boolean")
      }
      path.append(word)
    }
    return path
  }

  /// All edits or none: one that adds to what is not there leaves everything as it is.
  mutating func edit(_ edits: [ContentEdit], of name: String?, scope: Scope) throws(Refusal) {
    let target: NodeID?
    if let name {
      guard let found = evaluator.holder(named: name, in: scope, state) else {
        throw Refusal(.screenNotFound, "there is no \(name) whose content that would be")
      }
      target = found
    } else {
      target = scope.emitter?.id
    }
    guard let target, let record = state.nodes.record(target), state.stands(record) else { return reason = "dismissed" }
    let details = state.nodes.details(of: record)
    var content = details.content ?? Content(status: .idle)
    var whole = content.value ?? .object([:])
    for edit in edits {
      let path = try path(of: edit, scope)
      switch edit.change {
      case .set(let expression): whole.set(value(of: expression, in: scope) ?? .null, at: path)
      case .add(let expression):
        guard let sum = whole.at(path)?.adding(value(of: expression, in: scope)) else { return reason = "not-loaded" }
        whole.set(sum, at: path)
      }
    }
    guard whole.isWithinBounds else { return reason = "value-too-large" }
    try meter.write(whole, as: "the content of", state.nodes.name(of: record))
    content.value = whole
    // What is written is there; a load that still runs will write again.
    content.status = .loaded
    state.nodes.setContent(content, of: target)
  }
}
