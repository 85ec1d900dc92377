import CairnCore

/// Reads the nodes of containers: the nodes with which a flow begins, and the nodes that `set` and `show` create.
struct ContainerReader: PartReader {
  let context: ReaderContext

  /// Reads the container: the flow's initial nodes, and the flows that a switch can show. `children` is `nil`
  /// for other containers, or if a flow could not be read.
  func initialChildren(
    _ name: String, _ declared: DeclaredNames.Flow
  ) -> (FlowDefinition.InitialChildren, children: [String]?) {
    guard let container = declared.container, let element = declared.fields[container.rawValue] else { return (.empty, nil) }
    let scope = Surroundings("a flow reads its own params as `$flow.NAME`").inside(name)
    if element.list?.isEmpty == true, container != .screen {
      if container == .oneOf { report("`switch` needs at least one flow", at: element.position) }
      return (.empty, nil)
    }
    switch container {
    case .tabs: return (.tabs(nodes.contributions(element, "`tabs`", in: scope, areTabs: true)), nil)
    case .split: return (initialSplit(element, in: scope) ?? .empty, nil)
    case .oneOf: return self.switch(element, in: scope)
    case .stack, .alert: return (nodes.contribution(element, "`stack`", in: scope).map { .root($0) } ?? .empty, nil)
    case .screen:
      guard element.text != nil else {
        report("`screen` must be the name of a screen, not \(described(element))", at: element.position)
        return (.empty, nil)
      }
      let params = declared.rootScreen.map { names.params(ofScreen: $0) } ?? [:]
      let scope = Surroundings(params: params, of: "the screen `\(declared.rootScreen ?? "")`").inside(name)
      guard self.name(element, of: .screen) != nil else { return (.empty, nil) }
      return (nodes.contribution(element, "`screen`", in: scope, beside: declared.fields, isInitial: true).map { .root($0) } ?? .empty, nil)
    }
  }

  /// Reads a child of a switch. Only flows are children, so a plain name means a flow, even if a screen has the same name. Returns `nil` after reporting an
  /// error.
  private func child(_ element: Element, _ what: String, in scope: Surroundings) -> Contribution? {
    if element.text != nil { return nodes.flow(named: element, in: scope) }
    guard let contribution = nodes.contribution(element, what, in: scope) else { return nil }
    if contribution.flow == nil { report("\(what) must be a flow, not a screen", at: element.position) }
    return contribution.flow == nil ? nil : contribution
  }

  /// Reads the flows of a switch. The first flow is shown at the start. If `none` precedes it, no flow is shown at the start.
  private func `switch`(_ element: Element, in scope: Surroundings) -> (FlowDefinition.InitialChildren, children: [String]?) {
    guard let list = element.list else {
      report("`switch` must be a list of flows, the initial one first, not \(described(element))", at: element.position)
      return (.empty, nil)
    }
    var first: Contribution?
    var children: [String] = []
    for (index, element) in list.enumerated() where index > 0 || element.text != "none" {
      guard let contribution = child(element, "an element of `switch`", in: scope), let flow = contribution.flow else { continue }
      if index == 0 {
        first = contribution
      } else if contribution != Contribution(.flow(flow)) {
        report("only the first flow of `switch` may have members besides its name, because `set` creates the others", at: element.position)
      }
      if children.contains(flow) { report("`switch` lists `\(flow)` twice", at: element.position) } else { children.append(flow) }
    }
    let isEmpty = list.first?.text == "none"
    return (first.map { .root($0) } ?? .empty, children.count == list.count - (isEmpty ? 1 : 0) ? children : nil)
  }

  /// Reads both panes with which a split begins. Returns `nil` after reporting an error.
  private func initialSplit(_ element: Element, in scope: Surroundings) -> FlowDefinition.InitialChildren? {
    guard let panes = split(element, in: scope) else { return nil }
    guard let detail = panes.detail else {
      if element.members?.contains(where: { $0.name == "detail" }) == false {
        report(
          "`split` needs `detail`, the screen or flow that is shown before a selection, like `detail: empty`", at: element.position)
      }
      return nil
    }
    return .split(master: panes.master, detail: detail)
  }

  /// Reads `{ master: [..], detail: .. }`. Returns `nil` after reporting an error.
  private func split(_ element: Element, in scope: Surroundings) -> (master: [Contribution], detail: Contribution?)? {
    guard let fields = fields(of: element, "`split`", .split) else { return nil }
    let master = oneOrMore(fields["master"]).compactMap { nodes.contribution($0, "`master`", in: scope) }
    if fields["master"]?.list?.isEmpty == true { report("`master` needs at least one screen or flow", at: fields.position(of: "master")) }
    return (master, fields["detail"].flatMap { nodes.contribution($0, "`detail`", in: scope) })
  }

  /// Reads the condition under which a split becomes a stack. Like a condition of a rule, it must read a fact. Returns `nil` if the member
  /// is missing, or after reporting an error.
  func collapse(_ fields: Fields, of name: String) -> Guard? {
    guard let element = fields["collapse"] else { return nil }
    if fields["split"]?.list?.isEmpty == true {
      report(
        "`collapse` needs `split: { master: [..], detail: .. }`, whose `detail` is shown while no other one is open",
        at: fields.position(of: "collapse"))
    }
    guard let condition = conditions.condition(element, in: Surroundings("`collapse` cannot read params")) else { return nil }
    if condition.readsTime {
      report("`collapse` cannot test `passed`, because it is evaluated only when a fact is written", at: element.position)
    } else if condition.facts.isEmpty {
      report("`collapse` must test at least one fact, because it is evaluated when such a fact is written", at: element.position)
    }
    return condition
  }

  /// Reads `set`, whose value depends on the container of the current flow: nodes of a stack, tabs, columns of a split, or the child of a switch. Returns `nil`
  /// after reporting an error.
  func set(_ value: Element, _ fields: Fields, in scope: Surroundings) -> Operation? {
    let container = flow?.container ?? .stack
    if container != .stack, container != .screen {
      for name in fields.members.keys.sorted() where name != OperationWord.set.rawValue {
        report("`\(name)` is not allowed with `set` in a flow with `\(container.rawValue)`", at: fields.position(of: name))
      }
    }
    switch container {
    case .tabs: return .tabs(nodes.contributions(value, "`set`", in: scope, areTabs: true))
    case .split: return split(value, in: scope).map { .split(master: $0.master, detail: $0.detail) }
    case .oneOf: return child(value, "`set`", in: scope).flatMap { show($0, at: value.position) }
    case .stack, .screen, .alert: return .set(stack(value, fields, in: scope), keep: flag(fields["keep"], "`keep`"))
    }
  }

  private func stack(_ value: Element, _ fields: Fields, in scope: Surroundings) -> [Contribution] {
    let list = value.list ?? [value]
    guard list.count == 1, let only = list.first else {
      for name in MemberTable.beside.names where fields[name] != nil {
        report("`set` has several elements; put `\(name)` into the element to which it applies", at: fields.position(of: name))
      }
      return nodes.contributions(value, "`set`", in: scope)
    }
    return nodes.contribution(only, "the element of `set`", in: scope, beside: fields).map { [$0] } ?? []
  }

  /// Shows a child of the current flow, which is a switch. Returns `nil` after reporting an error.
  private func show(_ contribution: Contribution, at position: Position) -> Operation? {
    guard let name = contribution.flow, contribution == Contribution(.flow(name)) else {
      report("`set` in a flow with `switch` takes only the name of a flow", at: position)
      return nil
    }
    if let flow, let children = flow.children, !children.contains(name) {
      report("`\(name)` is not a child of `\(flow.name)`; its children are \(english(children, "and"))", at: position)
    }
    return .show(flow: name, screen: nil)
  }

  /// Reads `show: { flow, screen, … }`. The screen's members are in the same map as its name. Returns `nil` after reporting an error.
  func show(_ value: Element, in scope: Surroundings) -> Operation? {
    checkCompat(.show, at: value.position)
    guard let fields = fields(of: value, "`show`", .show) else { return nil }
    guard let flowElement = fields["flow"], let child = name(flowElement, of: .flow) else { return nil }
    if let flow, let children = flow.children, !children.contains(child) {
      report("`\(child)` is not a child of `\(flow.name)`; its children are \(english(children, "and"))", at: flowElement.position)
    }
    guard let screen = fields["screen"] else {
      report("`show` needs `screen`; without one, write `set: \(child)`", at: value.position)
      return nil
    }
    guard screen.text != nil else {
      report("`screen` must be the name of a screen, not \(described(screen))", at: screen.position)
      return nil
    }
    return nodes.contribution(screen, "`show`", in: scope, beside: fields).map { .show(flow: child, screen: $0) }
  }
}
