import CairnCore

/// Reads the nodes to be created.
struct NodeReader: PartReader {
  let context: ReaderContext

  /// Reads a node to be created: the name of a screen or flow, or a map with `screen` or `flow`. `beside` contains the operation's members, which apply to a
  /// node that is given by name. In initial nodes (`isInitial`) params may be missing, because the operation that creates the flow passes them. Returns `nil`
  /// after reporting an error.
  func contribution(
    _ element: Element, _ what: String, in scope: Surroundings, beside: Fields? = nil, isInitial: Bool = false, isTab: Bool = false
  ) -> Contribution? {
    if element.text != nil {
      guard let (kind, name) = places.nodeName(element) else { return nil }
      let fields = beside ?? Fields(position: element.position)
      return contribution(kind, name, from: fields, at: element.position, in: scope, isInitial: isInitial)
    }
    for name in MemberTable.beside.names {
      guard let beside, beside[name] != nil else { continue }
      report("put `\(name)` into the map of \(what), next to `screen` or `flow`", at: beside.position(of: name))
    }
    guard element.members != nil else {
      report("\(what) must be a screen or flow, or a map with `screen` or `flow`, not \(described(element))", at: element.position)
      return nil
    }
    guard var fields = fields(of: element, what, .node) else { return nil }
    guard (fields["screen"] == nil) != (fields["flow"] == nil) else {
      report(
        "\(what) needs \(fields["screen"] == nil ? "`screen` or `flow`" : "either `screen` or `flow`, not both")", at: element.position)
      return nil
    }
    let kind = fields["screen"] == nil ? NameKind.flow : .screen
    guard let named = fields[kind.rawValue], let name = name(named, of: kind) else { return nil }
    if fields["requires"] != nil {
      readGate(of: name, fields, in: scope, isTab: isTab)
      // Here `else` belongs to `requires`, not to the result of a flow.
      fields.remove("else")
    }
    return contribution(kind, name, from: fields, at: named.position, in: scope, isInitial: isInitial)
  }

  private func contribution(
    _ kind: NameKind, _ name: String, from fields: Fields, at position: Position, in scope: Surroundings, isInitial: Bool
  ) -> Contribution {
    var contribution = Contribution(kind == .flow ? .flow(name) : .screen(name))
    if kind == .flow {
      contribution.start = steps.steps(fields["start"], in: scope)
      contribution.facts = facts.firstFacts(fields, of: name, in: scope)
    } else {
      for member in ["start", "facts"] where fields[member] != nil {
        report("`\(member)` is allowed only with a flow", at: fields.position(of: member))
      }
    }
    furnish(&contribution, from: fields, at: position, in: scope, isInitial: isInitial)
    return contribution
  }

  /// Reads a flow that is given only by its name, and reports the params that the flow requires. Returns `nil` after reporting an unknown
  /// name.
  func flow(named element: Element, in scope: Surroundings) -> Contribution? {
    guard let name = name(element, of: .flow) else { return nil }
    _ = arguments(nil, of: name, at: element.position, in: scope)
    return Contribution(.flow(name))
  }

  /// Reads a list of at least one node to be created. Nodes with errors are reported and omitted.
  func contributions(_ element: Element, _ what: String, in scope: Surroundings, areTabs: Bool = false) -> [Contribution] {
    guard let list = element.list, !list.isEmpty else {
      report("\(what) must be a list of at least one screen or flow, not \(described(element))", at: element.position)
      return []
    }
    return list.compactMap { contribution($0, "an element of \(what)", in: scope, isTab: areTabs) }
  }

  /// Reads `requires` and `else` of a tab, which are stored with the flow: a tab has the same gate wherever it is created.
  private func readGate(of name: String, _ fields: Fields, in scope: Surroundings, isTab: Bool) {
    guard let element = fields["requires"] else { return }
    guard isTab else { return report("`requires` is allowed only for a tab", at: fields.position(of: "requires")) }
    let surroundings = Surroundings("`requires` can test facts, but cannot read params").inside(flow?.name)
    guard let condition = conditions.condition(element, in: surroundings) else { return }
    let gate = TabGate(name, requires: condition, otherwise: fields["else"].flatMap { steps.step($0, in: surroundings) })
    guard let other = flow?.gates.first(where: { $0.tab == name }) else {
      context.flow?.gates.append(gate)
      return
    }
    if other != gate {
      report(
        "the tab `\(name)` has another `requires` or `else` elsewhere in this flow; write the same in both places", at: element.position)
    }
  }

  private func furnish(
    _ contribution: inout Contribution, from fields: Fields, at position: Position, in scope: Surroundings, isInitial: Bool
  ) {
    switch contribution.target {
    case .screen(let screen):
      let what = "the screen `\(screen)`"
      var params = names.params(ofScreen: screen)
      if isInitial { params = params?.mapValues(\.optional) }
      contribution.with = expressions.arguments(fields["with"], for: params, of: what, at: position, in: scope.ofPage)
    case .flow(let flow): contribution.with = arguments(fields["with"], of: flow, at: position, in: scope.ofPage)
    }
    if let listen = fields["listen"] { contribution.listen = self.listen(listen) }
    contribution.load = fields["load"].flatMap { loads.load($0, in: scope) }
    contribution.after = oneOrMore(fields["timer"]).compactMap { timers.timer($0, in: scope) }
    // The steps in `removed`, `seen`, `unseen` and `guard` are sent after the node has been created, so they can read its content.
    var leaving = scope
    leaving.hasContent = true
    contribution.steps = steps.steps(of: fields, in: leaving)
    contribution.leave = fields["guard"].flatMap { leave($0, in: leaving) }
    readAnswers(of: &contribution, from: fields, in: scope)
    contribution.content = fields["content"].flatMap { expressions.expression($0, in: scope.ofPage) }
  }

  /// Reads the arguments of a flow. Params that a `screen` flow itself sets are optional.
  private func arguments(_ element: Element?, of name: String, at position: Position, in scope: Surroundings) -> [String:
    Expression]
  {
    let params = names.params(ofFlow: name)
    if params?.isEmpty == true, names.flow(name)?.container != .screen, let stray = element?.members?.first {
      report("the flow `\(name)` has no params; declare them: `\(name): { params: { \(stray.name): TYPE } }`", at: stray.position)
      return [:]
    }
    return expressions.arguments(element, for: params, of: "the flow `\(name)`", at: position, in: scope)
  }

  private func listen(_ element: Element) -> Listen {
    checkCompat(.listen, at: element.position)
    guard let fields = fields(of: element, "`listen`", .listen) else { return Listen() }
    return Listen(hidden: flag(fields["hidden"], "`hidden`"), dismissed: flag(fields["dismissed"], "`dismissed`"))
  }

  /// Reads `guard: STEP | true | { when, ask, tabs }`. Returns `nil` after reporting an error.
  private func leave(_ element: Element, in scope: Surroundings) -> Leave? {
    if case .scalar(.bool(true)) = element.content { return .refuse }
    guard let members = element.members, members.contains(where: { MemberTable.asking.names.contains($0.name) }) else {
      return steps.step(element, in: scope).map { Leave(ask: $0) }
    }
    guard let fields = fields(of: element, "`guard`", .asking) else { return nil }
    var later = Surroundings("the condition of `guard` is evaluated when the node would be removed").inside(scope.flow)
    later.hasContent = true
    let leave = Leave(
      when: fields["when"].flatMap { conditions.condition($0, in: later) }, ask: fields["ask"].flatMap { steps.step($0, in: scope) },
      asksBeforeTabs: flag(fields["tabs"], "`tabs`"))
    if leave.asksBeforeTabs, fields["ask"] == nil {
      report("`tabs` needs `ask`, the step that is sent before another tab is selected", at: fields.position(of: "tabs"))
    }
    return leave
  }

  /// Reads the members `then` and `else` of a node, which only a flow that finishes may have.
  private func readAnswers(of contribution: inout Contribution, from fields: Fields, in scope: Surroundings) {
    let words = ["then", "else"].filter { fields[$0] != nil }
    guard let first = words.first else { return }
    guard let name = contribution.flow, let flow = names.flow(name), flow.hasGives else {
      let what = contribution.flow.map { "`\($0)` has no handler with `finish`" } ?? "a screen does not finish"
      report("`\(first)` is allowed only for a flow that finishes, but \(what)", at: fields.position(of: first))
      return
    }
    contribution.then = fields["then"].flatMap { steps.step($0, in: scope.with(result: flow.gives, of: name)) }
    contribution.otherwise = fields["else"].flatMap { steps.step($0, in: scope) }
  }
}

extension ParameterDefinition {
  fileprivate var optional: ParameterDefinition {
    var type = self
    type.isOptional = true
    return type
  }
}
