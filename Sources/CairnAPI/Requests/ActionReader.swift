import CairnCore

/// Reads one action's object.
struct ActionReader {
  /// What `type` may say; a step has none.
  private enum Kind: String, CaseIterable {
    case pop, popTo, popToRoot, back, dismiss, select, push, present, set, remove, login, logout, cancel, token, appState, advance, facts,
      answer
  }

  private var members: Members
  private let byOperator: Bool

  init(_ object: JSONElement, byOperator: Bool) {
    members = Members(object)
    self.byOperator = byOperator
  }

  var faults: Faults { members.faults }

  /// The command; nil, or a placeholder beside `faults`, when something is wrong.
  mutating func command() -> Command? {
    if members.has("step"), members.has("type") {
      members.fault("has both step and type; a step needs no type")
      return nil
    }
    if members.has("step") { return .action(step()) }
    guard let text = members.string("type") else { return nil }
    guard let kind = Kind(rawValue: text) else {
      let names = Kind.allCases.map(\.rawValue)
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
    let name = members.string("step") ?? ""
    let params = members.object("params") ?? [:]
    let from = members.node("from")
    members.rejectOthers()
    return .step(Step(name, params: params), from: from)
  }

  private mutating func command(of kind: Kind) -> Command? {
    switch kind {
    case .pop:
      guard !clash("count", "node") else { return nil }
      return .action(.pop(count: members.integer("count", atLeast: 1) ?? 1, node: members.node("node")))
    case .popTo:
      guard one(of: "screen", "node", "a screen's name", "a node's id") else { return nil }
      if let screen = members.string("screen") { return .action(.popTo(.screen(screen))) }
      return members.node("node").map { .action(.popTo(.node($0))) }
    case .popToRoot: return .action(.popToRoot)
    case .back: return .action(.back)
    case .dismiss: return .action(.dismiss(node: members.node("node")))
    case .select:
      let node = members.node("node")
      guard one(of: "tab", "flow", "an index from 0 on", "a flow's name") else { return nil }
      if let tab = members.integer("tab", atLeast: 0) { return .action(.select(.tab(tab), node: node)) }
      return members.string("flow").map { .action(.select(.flow($0), node: node)) }
    case .push: return .action(.push(route()))
    case .present:
      let style = members.choice("style", PresentationStyle.self) ?? .sheet
      let node = members.node("node")
      return .action(.present(route(), style: style, node: node, replace: members.boolean("replace") ?? false))
    case .set: return .action(.set(stack()))
    case .remove: return members.node("node", isRequired: true).map { .action(.remove(node: $0)) }
    case .login: return login()
    case .logout: return .action(.logout)
    case .cancel: return members.link("link").map { .action(.cancel(link: $0)) }
    case .token: return members.line("accessToken", isRequired: true).map(Command.token)
    case .appState: return members.choice("state", Action.Activity.self, isRequired: true).map { .action(.appState($0)) }
    case .advance:
      return members.read("by", "a duration: a number with ms, s, m, h or d", isRequired: true) {
        $0.string.flatMap(DurationText.milliseconds)
      }.map(Command.advance)
    case .answer: return members.answer().map(Command.answer)
    case .facts:
      return members.object("set", isRequired: true).map { .action(.facts($0)) }
    }
  }

  private mutating func login() -> Command {
    let code = members.string("code", isRequired: true)
    let state = members.string("state")
    return .login(code: code, state: state, byOperator: byOperator)
  }

  private mutating func route() -> Action.Route {
    Action.Route(members.string("screen", isRequired: true) ?? "", params: members.object("params") ?? [:])
  }

  private mutating func stack() -> [Action.Route] {
    guard let elements = members.array("stack", isRequired: true) else { return [] }
    var routes: [Action.Route] = []
    for element in elements {
      var reader = Members(element)
      guard element.isObject else {
        reader.fault("must be an object such as {\"screen\": …}, not \(element.value.kindName)")
        members.add(reader.faults)
        continue
      }
      routes.append(
        Action.Route(reader.string("screen", isRequired: true) ?? "", params: reader.object("params") ?? [:]))
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
