import CairnCore

extension DefinitionReader {
  /// Reads all flows, in the order of their names. The diagnostics are sorted by position afterwards.
  func flows() -> [String: FlowDefinition] {
    var flows: [String: FlowDefinition] = [:]
    for name in names.flows.keys.sorted() {
      guard let declared = names.flow(name) else { continue }
      flows[name] = flow(name, declared)
    }
    context.flow = nil
    return flows
  }

  private func flow(_ flowName: String, _ declared: DeclaredNames.Flow) -> FlowDefinition {
    let fields = declared.fields
    let handled = ["handle", "adapt"].flatMap { fields[$0]?.members ?? [] }.map(\.name)
    context.flow = CurrentFlow(name: flowName, container: declared.container, handled: Set(handled))
    checkMembers(flowName, declared)
    let (initialChildren, children) = initialChildren(flowName, declared)
    if declared.container == .oneOf { context.flow?.children = children }
    let emits = fields["emits"].map { contract($0) } ?? []
    return FlowDefinition(
      container: declared.container ?? .stack, initialChildren: initialChildren, children: children ?? [],
      handle: handlers(fields["handle"]), adapt: adaptations(fields["adapt"]), tabs: manner(fields),
      gives: declared.hasGives ? declared.gives ?? [:] : nil, collapse: collapse(fields, of: flowName), emits: emits,
      meta: fields["meta"]?.value)
  }

  /// Reports members that do not belong to the flow's container.
  private func checkMembers(_ name: String, _ declared: DeclaredNames.Flow) {
    guard let container = declared.container else { return }
    let only: [(String, Node.Kind)] =
      [("reselect", .tabs), ("back", .tabs), ("collapse", .split)] + MemberTable.ofScreen.map { ($0.name, .screen) }
    for (member, needed) in only where declared.fields[member] != nil && container != needed {
      report(
        "\(member) is allowed only in a flow with \(needed.rawValue), but \(name) has \(container.rawValue)",
        at: declared.fields.position(of: member))
    }
  }

  private func handlers(_ element: Element?) -> [String: Handler] {
    var handlers: [String: Handler] = [:]
    for (step, element, scope) in stepMembers(element, "handle") { handlers[step] = handler(element, in: scope) }
    return handlers
  }

  private func adaptations(_ element: Element?) -> [String: [Adaptation]] {
    var adaptations: [String: [Adaptation]] = [:]
    if let element { checkCompat(.adapt, at: element.position) }
    for (step, element, scope) in stepMembers(element, "adapt") {
      adaptations[step] = list(element, "adapt of \(step)").compactMap { adaptation($0, in: scope) }
    }
    return adaptations
  }

  private func adaptation(_ element: Element, in scope: Surroundings) -> Adaptation? {
    guard let fields = fields(of: element, "an adaptation", .adaptation) else {
      return nil
    }
    let condition = fields["when"].flatMap { self.condition($0, in: scope) }
    if fields["when"] == nil {
      report("an adaptation needs when; to replace a step always, send the other step instead", at: element.position)
    }
    guard let to = fields["to"] else { return nil }
    if to.members != nil { report("to must be the name of a step; with stands next to it", at: to.position) }
    guard to.members == nil, let step = step(named: to, with: fields["with"], to: nil, in: scope, follows: true), let condition else {
      return nil
    }
    return Adaptation(when: condition, to: step)
  }

  /// The members of `handle` or `adapt`: the step, its element, and the scope of its expressions.
  private func stepMembers(_ element: Element?, _ what: String) -> [(String, Element, Surroundings)] {
    guard let element, !element.isNull else { return [] }
    guard let members = element.members else {
      report("\(what) must be a map with a name for each step, not \(article(element.kindName))", at: element.position)
      return []
    }
    return members.map { member in
      let key = Element(content: .scalar(.string(member.name)), position: member.position)
      let step = name(key, of: .step)
      // The handler of an unknown step is read to report its own errors.
      let params = step.flatMap { names.step($0)?.params }
      return (member.name, member.element, Surroundings(params: params, of: "the step \(member.name)", hasContent: true))
    }
  }
}
