import CairnCore

extension DefinitionReader {
  /// Reads a node to be created: a screen's name, or a map with `screen` or `flow`. `beside` contains the operation's members, which apply to a screen that is
  /// given by name. In initial nodes (`isInitial`) params may be missing, because the operation that creates the flow passes them. Returns `nil` after
  /// reporting an error.
  mutating func contribution(
    _ element: Element, _ what: String, in scope: Surroundings, beside: Fields? = nil, isInitial: Bool = false
  ) -> Contribution? {
    if element.text != nil {
      guard let screen = name(element, of: .screen) else { return nil }
      var contribution = Contribution(.screen(screen))
      furnish(
        &contribution, from: beside ?? Fields(position: element.position), at: element.position, in: scope, isInitial: isInitial)
      return contribution
    }
    for name in MemberTable.beside.names {
      guard let beside, beside[name] != nil else { continue }
      report("put \(name) into the map of \(what), next to screen or flow", at: beside.position(of: name))
    }
    guard element.members != nil else {
      report("\(what) must be a screen, { screen: NAME } or { flow: NAME }, not \(described(element))", at: element.position)
      return nil
    }
    guard let fields = fields(of: element, what, .node) else { return nil }
    guard (fields["screen"] == nil) != (fields["flow"] == nil) else {
      report("\(what) needs \(fields["screen"] == nil ? "a" : "either a") screen or a flow", at: element.position)
      return nil
    }
    var contribution: Contribution
    if let screenElement = fields["screen"] {
      guard let screen = name(screenElement, of: .screen) else { return nil }
      if fields["start"] != nil { report("start is allowed only with a flow", at: fields.position(of: "start")) }
      contribution = Contribution(.screen(screen))
      furnish(&contribution, from: fields, at: screenElement.position, in: scope, isInitial: isInitial)
    } else {
      guard let flowElement = fields["flow"], let flow = name(flowElement, of: .flow) else { return nil }
      contribution = Contribution(.flow(flow), start: steps(fields["start"], in: scope))
      furnish(&contribution, from: fields, at: flowElement.position, in: scope, isInitial: isInitial)
    }
    return contribution
  }

  mutating func contributions(_ element: Element, _ what: String, in scope: Surroundings) -> [Contribution] {
    guard let list = element.list, !list.isEmpty else {
      report("\(what) must be a list of at least one screen or flow, not \(described(element))", at: element.position)
      return []
    }
    return list.compactMap { contribution($0, "an element of \(what)", in: scope) }
  }

  private mutating func furnish(
    _ contribution: inout Contribution, from fields: Fields, at position: Position, in scope: Surroundings, isInitial: Bool
  ) {
    switch contribution.target {
    case .screen(let screen):
      let what = "the screen \(screen)"
      var params = names.params(ofScreen: screen)
      if isInitial { params = params?.mapValues(\.optional) }
      contribution.with = arguments(fields["with"], for: params, of: what, at: position, in: scope.ofPage)
    case .flow(let flow): contribution.with = arguments(fields["with"], of: flow, at: position, in: scope.ofPage)
    }
    if let listen = fields["listen"] { contribution.listen = self.listen(listen) }
    contribution.load = fields["load"].flatMap { load($0, in: scope) }
    contribution.after = oneOrMore(fields["after"]).compactMap { timer($0, in: scope) }
    // These steps are evaluated when the node is removed, so they can read its content.
    var leaving = scope
    leaving.hasContent = true
    contribution.left = fields["left"].flatMap { step($0, in: leaving) }
    contribution.leave = fields["leave"].flatMap { leave($0, in: leaving) }
    readAnswers(of: &contribution, from: fields, in: scope)
    contribution.content = fields["content"].flatMap { expression($0, in: scope.ofPage) }
  }

  /// Reads the arguments of a flow. Params that a `screen` flow's own `root` sets are optional.
  private mutating func arguments(_ element: Element?, of name: String, at position: Position, in scope: Surroundings) -> [String:
    Expression]
  {
    let container = names.flow(name)?.container
    if let container, container != .screen, let stray = element?.members?.first {
      report(
        "the flow \(name) has no params, because its container is \(container.rawValue); pass them to its first step: "
          + "start: { step: STEP, with: { \(stray.name): … } }",
        at: stray.position)
      return [:]
    }
    let params = names.params(ofFlow: name)
    return arguments(element, for: params, of: "the flow \(name)", at: position, in: scope)
  }

  private mutating func listen(_ element: Element) -> Listen {
    guard let fields = fields(of: element, "listen", .listen) else { return Listen() }
    return Listen(hidden: flag(fields["hidden"], "hidden"), dismissed: flag(fields["dismissed"], "dismissed"))
  }
}

extension ParameterDefinition {
  fileprivate var optional: ParameterDefinition {
    var type = self
    type.isOptional = true
    return type
  }
}
