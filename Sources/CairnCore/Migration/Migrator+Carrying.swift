// Moves the parts of a state that keep their identity: nodes, listeners and steps, under their new names.
extension Migrator {
  /// Returns the state with all nodes under their new names. Nodes that are not kept still have their old names. Effects, links, login and times are taken from
  /// the old state. Throws if a node that is kept has no counterpart in the new definition, or if its params or facts do not fit.
  func carried(_ state: State, _ stamp: Stamp) throws(MigrationObstacle) -> State {
    var next = state
    next.nodes = new.emptyTable
    let nodes = state.nodes.values
    for node in nodes { NodeFilling.put(try carried(node, in: state, stamp), into: &next.nodes) }
    for node in nodes where !node.children.isEmpty {
      guard NodeFilling.addChildren(node.children, to: node.id, in: &next.nodes) else {
        throw MigrationObstacle("the children of \(node.id) cannot be kept")
      }
    }
    next.listeners = state.listeners.compactMap { carried($0) }
    return next
  }

  /// Returns a listener under the new name of its screen; `nil` if the new definition lacks the screen. The listener of a flow outside the tree ends with its
  /// flow.
  private func carried(_ listener: Listener) -> Listener? {
    var listener = listener
    switch migration.screens[listener.screen] {
    case .keep(let name, _, _)?: listener.screen = name
    case nil where new.definition.screens[listener.screen] != nil: break
    case .replace?, .popTo?, .remove?, nil: return listener.isFlow ? listener : nil
    }
    return listener
  }

  /// The rule for a node: the rule for its flow or screen. The pane of a split's master has no rule and is kept. Throws if the new definition does not contain
  /// the screen or flow of a node that is kept, or if the flow has another kind.
  func fate(of node: Node) throws(MigrationObstacle) -> Migration.NodeFate {
    guard let flow = node.flow else {
      guard node.isLeaf else { return .keep(as: node.name, params: [:]) }
      return try fate(of: node, screen: node.name)
    }
    let fate = migration.flows[flow] ?? .keep(as: flow, params: [:])
    guard case .keep(let name, _, _) = fate else { return fate }
    guard let kept = new.definition.flows[name] else {
      throw MigrationObstacle("the flow \(flow) of \(node.id) does not exist in the new definition")
    }
    let kind = node.isCollapsed ? .split : node.kind
    guard kept.container == kind else { throw MigrationObstacle("the flow \(flow) of \(node.id) is no longer a \(kind.rawValue)") }
    return fate
  }

  private func fate(of node: Node, screen: String) throws(MigrationObstacle) -> Migration.NodeFate {
    let fate = migration.screens[screen] ?? .keep(as: screen, params: [:])
    guard case .keep(let name, _, _) = fate, new.definition.screens[name] == nil else { return fate }
    throw MigrationObstacle("the screen \(screen) of \(node.id) does not exist in the new definition")
  }

  /// Returns a node under its new name, and with the new names of the steps that it sends later. A node that is not kept has its old name
  /// and params.
  private func carried(_ node: Node, in state: State, _ stamp: Stamp) throws(MigrationObstacle) -> Node {
    var node = node
    if new.definition.oauth == nil { node.authorization = nil }
    node.steps = node.steps.compactMap { mapped($0, in: state, stamp) }
    node.leave = node.leave.flatMap { mapped($0, in: state, stamp) }
    if let receiver = node.resultReceiver {
      node.resultReceiver = ResultReceiver(
        node: receiver.node, then: receiver.then.flatMap { mapped($0, in: state, stamp) },
        otherwise: receiver.otherwise.flatMap { mapped($0, in: state, stamp) })
    }
    guard case .keep(let name, let params, let facts) = try fate(of: node) else { return node }
    if let flow = node.flow {
      // A `screen` flow has the name and the params of its screen.
      if node.isLeaf {
        guard case .keep(let screen, let own, _) = try fate(of: node, screen: node.name) else { return node }
        node.name = screen
        // A flow outside the tree has no params.
        if node.parent != nil || node.id == state.root {
          node.facts = try self.facts(of: node, facts, in: state, stamp, flow: name)
          node.params = try self.params(
            of: node, own.updated(with: params), in: state, stamp, new.definition.screens[screen]?.params, "the screen \(screen)")
        }
      } else {
        node.name = node.name == flow ? name : node.name
        node.facts = try self.facts(of: node, facts, in: state, stamp, flow: name)
        node.params = try self.params(of: node, params, in: state, stamp, new.definition.flows[name]?.params, "the flow \(name)")
      }
      node.flow = name
    } else if node.isLeaf {
      node.name = name
      node.params = try self.params(of: node, params, in: state, stamp, new.definition.screens[name]?.params, "the screen \(name)")
    }
    return node
  }

  // MARK: params

  /// The params of a node as its new screen or flow declares them. Throws if they do not fit. `owner` is that screen or flow, for messages.
  private func params(
    of node: Node, _ expressions: [String: Expression], in state: State, _ stamp: Stamp, _ types: [String: ParameterDefinition]?,
    _ owner: String
  ) throws(MigrationObstacle) -> [String: Value] {
    let given = carried(node.params, expressions, types ?? [:], state, stamp)
    let (params, faults) = ParameterDefinition.check(given, against: types ?? [:])
    guard let fault = faults.first else { return params }
    throw MigrationObstacle("the param \(fault.name) of \(owner) (\(node.id)) \(fault.fault)")
  }

  /// The facts of a flow's node as the new flow declares them: the value of the expression, the old value or the default, in this order.
  private func facts(
    of node: Node, _ expressions: [String: Expression], in state: State, _ stamp: Stamp, flow: String
  ) throws(MigrationObstacle) -> [String: Value] {
    let given = values(of: expressions, node.params, state, stamp, flow: node.id)
    var facts: [String: Value] = [:]
    for (name, type) in (new.definition.flows[flow]?.facts ?? [:]).sortedByKey {
      var value = expressions[name] == nil ? node.facts[name] : given[name]
      if value == .null { value = nil }
      if let value, let fault = type.fault(of: value) {
        throw MigrationObstacle("the fact \(name) of the flow \(flow) (\(node.id)) \(fault)")
      }
      facts[name] = value ?? type.defaultValue
    }
    return facts
  }

  /// Old params that the new declaration contains too, and the values of the expressions. A value of `null` means that the param is absent.
  func carried(
    _ old: [String: Value], _ expressions: [String: Expression], _ types: [String: ParameterDefinition], _ state: State, _ stamp: Stamp
  ) -> [String: Value] {
    var params = old.filter { types[$0.key] != nil && expressions[$0.key] == nil }
    for (name, value) in values(of: expressions, old, state, stamp) where value != .null { params[name] = value }
    return params
  }

  /// The values of expressions, which may read old params, facts of the old state, and the facts of the flow node `flow`. Missing values
  /// are omitted.
  func values(
    of expressions: [String: Expression], _ params: [String: Value], _ state: State, _ stamp: Stamp, flow: NodeID? = nil
  ) -> [String: Value] {
    let evaluator = Evaluator(program: old.program, stamp: stamp)
    let scope = Scope(params: params, flow: flow)
    var values: [String: Value] = [:]
    for (name, expression) in expressions { values[name] = evaluator.value(of: expression, in: scope, state) }
    return values
  }

  // MARK: steps

  /// Returns a step that a client posts for the old definition, with its name and params in the new definition. Throws if the step has no equivalent.
  func mapped(_ step: Step, in state: State, _ stamp: Stamp) throws(MigrationObstacle) -> Step {
    switch migration.steps[step.step] {
    case .remove?: throw MigrationObstacle("the step \(step.step) was removed")
    case .keep(let name, let expressions)?:
      let types = new.definition.steps[name]?.params ?? [:]
      return Step(name, params: carried(step.params, expressions, types, state, stamp))
    case nil:
      // A step that the old definition does not declare is not mapped; the new definition then refuses it as an unknown step.
      guard let types = new.definition.steps[step.step]?.params, old.definition.steps[step.step] != nil else { return step }
      return Step(step.step, params: step.params.filter { types[$0.key] != nil || old.definition.steps[step.step]?.params[$0.key] == nil })
    }
  }

  /// Returns the template of a step that a node sends later; `nil` if the new definition lacks the step. Params whose values are not known yet can only be
  /// renamed.
  func mapped(_ template: StepTemplate, in state: State, _ stamp: Stamp) -> StepTemplate? {
    var mapped = template
    mapped.to = self.mapped(template.to)
    // The values may come from hidden facts of the old definition. The new definition does not record this, so the template does.
    mapped.hidesValues = template.hidesValues || (old.program.hidesStepValues && !template.with.isEmpty)
    guard let fate = migration.steps[template.step] else { return mapped }
    guard case .keep(let name, let expressions) = fate else { return nil }
    var known: [String: Value] = [:]
    for (param, expression) in template.with { if case .literal(let value) = expression { known[param] = value } }
    let types = new.definition.steps[name]?.params ?? [:]
    var with = template.with.filter { types[$0.key] != nil && expressions[$0.key] == nil }
    for (param, expression) in expressions {
      if case .reference(.param(let source)) = expression {
        with[param] = template.with[source]
      } else {
        with[param] = values(of: [param: expression], known, state, stamp)[param].map { Expression.literal($0) }
        if expression.references.contains(where: { isHidden($0) }) { mapped.hidesValues = true }
      }
    }
    (mapped.step, mapped.with) = (name, with)
    return mapped
  }

  /// Returns a guard with the names of the new definition; `nil` if that definition lacks the guard's step.
  private func mapped(_ leave: Leave, in state: State, _ stamp: Stamp) -> Leave? {
    var kept = leave
    kept.when = leave.when.map { renamed($0) }
    guard let ask = leave.ask else { return kept }
    guard let step = mapped(ask, in: state, stamp) else { return nil }
    kept.ask = step
    return kept
  }

  /// Returns a condition that reads the session's facts under their new names.
  private func renamed(_ condition: Guard) -> Guard {
    switch condition {
    case .fact(let name, let test):
      guard case .keep(let new)? = migration.facts[name] else { return condition }
      return .fact(new, test)
    case .all(let parts): return .all(parts.map { renamed($0) })
    case .any(let parts): return .any(parts.map { renamed($0) })
    case .not(let inner): return .not(renamed(inner))
    case .passed(.reference(.fact(let name)), let before):
      guard case .keep(let new)? = migration.facts[name] else { return condition }
      return .passed(.reference(.fact(new)), before: before)
    case .between(let start, let end, .reference(.fact(let name))):
      guard case .keep(let new)? = migration.facts[name] else { return condition }
      return .between(start, end, zone: .reference(.fact(new)))
    case .flowFact, .param, .content, .status, .result, .visible, .screen, .flow, .passed, .between: return condition
    }
  }

  /// Whether a reference reads a fact that the old definition hides.
  private func isHidden(_ reference: Reference) -> Bool {
    if case .fact(let name) = reference { old.program.hiddenFacts.contains(name) } else { false }
  }

  private func mapped(_ destination: Operation.Destination?) -> Operation.Destination? {
    if case .flow(let flow)? = destination, case .keep(let name, _, _)? = migration.flows[flow] { return .flow(name) }
    return destination
  }
}
