import CairnCore

extension DefinitionReader {
  /// Reads all flows, in the order of their names. The diagnostics are sorted by position afterwards.
  mutating func flows() -> [String: FlowDefinition] {
    var flows: [String: FlowDefinition] = [:]
    for name in names.flows.keys.sorted() {
      guard let declared = names.flow(name) else { continue }
      flows[name] = flow(name, declared)
    }
    flow = nil
    return flows
  }

  private mutating func flow(_ flowName: String, _ declared: DeclaredNames.Flow) -> FlowDefinition {
    let fields = declared.fields
    var children: [String] = []
    for element in list(fields["children"], "children") {
      guard let child = name(element, of: .flow) else { continue }
      if children.contains(child) {
        report("children lists \(child) twice", at: element.position)
      } else {
        children.append(child)
      }
    }
    flow = CurrentFlow(name: flowName, container: declared.container, children: fields["children"]?.list == nil ? nil : children)
    checkMembers(flowName, declared)
    let initialChildren = initialChildren(flowName, declared)
    let emits = fields["emits"].map { contract($0, "all screens of \(flowName) may emit them") } ?? []
    return FlowDefinition(
      container: declared.container ?? .stack, initialChildren: initialChildren, children: children, handle: handlers(fields["handle"]),
      adapt: adaptations(fields["adapt"]), tabs: manner(fields), gives: declared.hasGives ? declared.gives ?? [:] : nil,
      collapse: collapse(fields, of: flowName), emits: emits, meta: fields["meta"]?.value)
  }

  /// Reports members that do not belong to the flow's container.
  private mutating func checkMembers(_ name: String, _ declared: DeclaredNames.Flow) {
    guard let container = declared.container else { return }
    let only: [(String, Node.Kind)] = [
      ("tabs", .tabs), ("reselect", .tabs), ("back", .tabs), ("split", .split), ("collapse", .split), ("children", .oneOf),
    ]
    for (member, needed) in only where declared.fields[member] != nil && container != needed {
      report(
        "\(member) is allowed only with container: \(needed.rawValue), but \(name) has container: \(container.rawValue)",
        at: declared.fields.position(of: member))
    }
    if declared.fields["root"] != nil && (container == .tabs || container == .split) {
      let instead = container == .tabs ? "tabs: [..]" : "split: { master: [..], detail: .. }"
      report("a flow with container: \(container.rawValue) has no root; use \(instead)", at: declared.fields.position(of: "root"))
    }
    if container == .screen && declared.fields["root"] == nil {
      report("a flow with container: screen needs root: SCREEN", at: declared.fields.position)
    }
    if container == .oneOf && declared.fields["children"] == nil {
      report("a flow with container: switch needs children: [..], the flows that it can show", at: declared.fields.position)
    }
  }

  private mutating func initialChildren(_ name: String, _ declared: DeclaredNames.Flow) -> FlowDefinition.InitialChildren {
    let fields = declared.fields
    var scope = Surroundings("\(name) is created without params")
    switch declared.container {
    case .tabs: return fields["tabs"].map { .tabs(contributions($0, "tabs", in: scope)) } ?? .empty
    case .split:
      return fields["split"].flatMap { split($0, in: scope) }.map { .split(master: $0.master, detail: $0.detail) } ?? .empty
    case .stack, .screen, .oneOf, .alert:
      guard let root = fields["root"] else { return .empty }
      if declared.container == .screen, let screen = declared.rootScreen {
        scope = Surroundings(params: names.params(ofScreen: screen), of: "the screen \(screen)")
      }
      guard let contribution = contribution(root, "root", in: scope, isInitial: declared.container == .screen) else {
        return .empty
      }
      switch (declared.container, contribution.target) {
      case (.screen, .flow):
        report("the root of a flow with container: screen must be a screen, not a flow", at: root.position)
      case (.oneOf, .screen):
        report("the root of a flow with container: switch must be one of its children, like { flow: NAME }", at: root.position)
      case (.oneOf, .flow(let child)):
        if let children = flow?.children, !children.contains(child) {
          report("\(child) is not a child of \(name)", at: root.position)
        }
      default: break
      }
      return .root(contribution)
    case nil:
      // The missing container has been reported. The initial nodes are read only to report their own errors.
      _ = fields["root"].flatMap { contribution($0, "root", in: Surroundings(params: nil, of: name), isInitial: true) }
      _ = fields["tabs"].map { contributions($0, "tabs", in: scope) }
      _ = fields["split"].flatMap { split($0, in: scope) }
      return .empty
    }
  }

  /// Reads `{ master: [..], detail: .. }`. Returns `nil` after reporting an error.
  mutating func split(_ element: Element, in scope: Surroundings) -> (master: [Contribution], detail: Contribution)? {
    if let members = element.members, members.allSatisfy({ $0.name == "master" }) {
      report(
        "split needs detail, the screen or flow that is shown before a selection, like detail: empty", at: element.position)
      return nil
    }
    guard let fields = fields(of: element, "split", .split) else { return nil }
    let master = fields["master"].map { contributions($0, "master", in: scope) } ?? []
    guard let detail = fields["detail"].flatMap({ contribution($0, "detail", in: scope) }) else { return nil }
    return (master, detail)
  }

  /// Reads the condition under which a split becomes a stack. Like a condition of a rule, it must read a fact. Returns `nil` if there is none, or after
  /// reporting an error.
  private mutating func collapse(_ fields: Fields, of name: String) -> Guard? {
    guard let element = fields["collapse"] else { return nil }
    if fields["split"] == nil, fields["container"]?.text == "split" {
      report(
        "collapse needs split: { master: [..], detail: .. }, whose detail is shown while no other one is open",
        at: fields.position(of: "collapse"))
    }
    guard let condition = condition(element, in: Surroundings("collapse has no params")) else { return nil }
    if condition.facts.isEmpty {
      report("collapse must test at least one fact, because it is evaluated when such a fact is written", at: element.position)
    }
    return condition
  }

  private mutating func handlers(_ element: Element?) -> [String: Handler] {
    var handlers: [String: Handler] = [:]
    for (step, element, scope) in stepMembers(element, "handle") { handlers[step] = handler(element, in: scope) }
    return handlers
  }

  private mutating func adaptations(_ element: Element?) -> [String: [Adaptation]] {
    var adaptations: [String: [Adaptation]] = [:]
    for (step, element, scope) in stepMembers(element, "adapt") {
      adaptations[step] = list(element, "adapt of \(step)").compactMap { adaptation($0, in: scope) }
    }
    return adaptations
  }

  private mutating func adaptation(_ element: Element, in scope: Surroundings) -> Adaptation? {
    guard let fields = fields(of: element, "an adaptation", .adaptation) else {
      return nil
    }
    let condition = condition(of: fields, in: scope)
    if fields["when"] == nil && fields["unless"] == nil {
      report("an adaptation needs when or unless; to replace a step always, send the other step instead", at: element.position)
    }
    guard let to = fields["to"] else { return nil }
    var target = Element(content: .map([.init(name: "step", position: to.position, element: to)]), position: to.position)
    if let with = fields.members["with"], case .map(let members) = target.content { target.content = .map(members + [with]) }
    guard let step = step(target, in: scope, follows: true), let condition else { return nil }
    return Adaptation(when: condition, to: step)
  }

  /// Reads `when`, or negates `unless`. Returns `nil` without either, or after reporting an error.
  mutating func condition(of fields: Fields, in scope: Surroundings) -> Guard? {
    if fields["when"] != nil, fields["unless"] != nil {
      report("when and unless cannot be combined; use all: [..] with not", at: fields.position(of: "unless"))
      return nil
    }
    if let when = fields["when"] { return condition(when, in: scope) }
    return fields["unless"].flatMap { condition($0, in: scope) }.map(Guard.not)
  }

  /// The members of `handle` or `adapt`: the step, its element, and the scope of its expressions.
  private mutating func stepMembers(_ element: Element?, _ what: String) -> [(String, Element, Surroundings)] {
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
