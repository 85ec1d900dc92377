import CairnCore

/// Reads one action's object.
struct ActionReader {
  private var members: Members
  private let byOperator: Bool
  private let hasStep: Bool
  private let hasType: Bool

  init(_ object: JSONElement, byOperator: Bool) {
    members = Members(object)
    self.byOperator = byOperator
    var (hasStep, hasType) = (false, false)
    for (name, _) in object.members {
      hasStep = hasStep || name.isString("step")
      hasType = hasType || name.isString("type")
    }
    (self.hasStep, self.hasType) = (hasStep, hasType)
  }

  /// Whether it is an object that says which action it is.
  var isAction: Bool { hasStep || hasType }

  var faults: Faults { members.faults }

  /// The command; nil, or a placeholder beside `faults`, when something is wrong.
  mutating func command() -> Command? {
    if hasStep, hasType {
      members.fault("has both step and type; a step needs no type")
      return nil
    }
    if hasStep { return .action(step()) }
    guard let text = members.read(ActionMembers.type) else { return nil }
    guard let kind = ActionKind(rawValue: text) else {
      let names = ActionKind.allCases.map(\.rawValue)
      let hint =
        NearestName.of(text, among: names).map { "did you mean \($0)?" } ?? "known are \(names.joined(separator: ", "))"
      members.fault("type", "\"\(text.prefix(64))\" is unknown; \(hint)")
      return nil
    }
    let command = command(of: kind)
    members.rejectOthers()
    return command
  }

  private mutating func step() -> Action {
    let name = members.read(ActionMembers.step) ?? ""
    let params = members.read(ActionMembers.params) ?? [:]
    let from = members.read(ActionMembers.from)
    members.rejectOthers()
    return .step(Step(name, params: params), from: from)
  }

  private mutating func command(of kind: ActionKind) -> Command? {
    switch kind {
    case .pop:
      guard !clash("count", "node") else { return nil }
      return .action(.pop(count: members.read(ActionMembers.count) ?? 1, node: members.read(ActionMembers.node)))
    case .popTo:
      guard one(of: "screen", "node", "a screen's name", "a node's id") else { return nil }
      if let screen = members.read(ActionMembers.screen) { return .action(.popTo(.screen(screen))) }
      return members.read(ActionMembers.node).map { .action(.popTo(.node($0))) }
    case .popToRoot: return .action(.popToRoot)
    case .back: return .action(.back)
    case .dismiss: return .action(.dismiss(node: members.read(ActionMembers.node)))
    case .select:
      let node = members.read(ActionMembers.node)
      guard one(of: "tab", "flow", "an index from 0 on", "a flow's name") else { return nil }
      if let tab = members.read(ActionMembers.tab) { return .action(.select(.tab(tab), node: node)) }
      return members.read(ActionMembers.flow).map { .action(.select(.flow($0), node: node)) }
    case .push: return .action(.push(route(in: &members)))
    case .present:
      let style = members.read(ActionMembers.style) ?? .sheet
      let node = members.read(ActionMembers.node)
      return .action(.present(route(in: &members), style: style, node: node, replace: members.read(ActionMembers.replace) ?? false))
    case .set: return .action(.set(stack()))
    case .remove: return members.read(ActionMembers.removed).map { .action(.remove(node: $0)) }
    case .login: return login()
    case .logout: return .action(.logout)
    case .cancel: return members.read(ActionMembers.link).map { .action(.cancel(link: $0)) }
    case .token: return members.line(ActionMembers.accessToken).map(Command.token)
    case .appState: return members.read(ActionMembers.activity).map { .action(.appState($0)) }
    case .advance: return members.read(ActionMembers.by).map(Command.advance)
    case .answer: return members.answer().map(Command.answer)
    case .facts: return members.read(ActionMembers.facts).map { .action(.facts($0)) }
    }
  }

  private mutating func login() -> Command {
    let code = members.read(ActionMembers.code)
    let state = members.read(ActionMembers.state)
    return .login(code: code, state: state, byOperator: byOperator)
  }

  private func route(in members: inout Members) -> Action.Route {
    Action.Route(members.read(ActionMembers.shown) ?? "", params: members.read(ActionMembers.params) ?? [:])
  }

  private mutating func stack() -> [Action.Route] {
    guard let elements = members.read(ActionMembers.stack) else { return [] }
    var routes: [Action.Route] = []
    for element in elements {
      var reader = Members(element)
      guard element.isObject else {
        reader.fault("must be an object such as {\"screen\": …}, not \(element.value.kindName)")
        members.add(reader.faults)
        continue
      }
      routes.append(route(in: &reader))
      reader.rejectOthers()
      members.add(reader.faults)
    }
    return routes
  }

  /// Notes two members that exclude each other.
  private mutating func clash(_ first: StaticString, _ second: StaticString) -> Bool {
    guard members.has(first), members.has(second) else { return false }
    members.know(first, second)
    members.fault("has both \(first) and \(second); give one of them")
    return true
  }

  private mutating func one(of first: StaticString, _ second: StaticString, _ firstShape: StaticString, _ secondShape: StaticString) -> Bool
  {
    guard !clash(first, second) else { return false }
    if members.has(first) || members.has(second) { return true }
    members.fault("needs \(first) (\(firstShape)) or \(second) (\(secondShape))")
    return false
  }
}
