// The shape of an action in the journal and in the history is the one in which a client posts it (API contract, 5),
// with `true` in the place of a secret.
extension Action: Codable {
  private struct Record: Codable {
    var type: String?
    var step: String?
    var params: [String: Value]?
    var from: NodeID?
    var count: Int?
    var node: NodeID?
    var screen: String?
    var tab: Int?
    var flow: String?
    var style: PresentationStyle?
    var replace: Bool?
    var stack: [Route]?
    var code: Bool?
    var state: String?
    var error: String?
    var byOperator: Bool?
    var accessToken: Bool?
    var set: [String: Value]?
    var url: String?
    var category: String?
    var tap: Bool?
    var appState: AppState?
    var to: Int?
    var effect: Int?
    var due: Int?
    var loaded: Value?
    var failed: String?
    var abandoned: String?
    var exchanged: Bool?
  }

  public func encode(to encoder: any Encoder) throws { try record.encode(to: encoder) }

  private var record: Record {
    var record = Record()
    record.type = typeName
    switch self {
    case .step(let step, let from):
      record.step = step.step
      record.params = step.params.isEmpty ? nil : step.params
      record.from = from
    case .pop(let count, let node):
      record.count = count == 1 ? nil : count
      record.node = node
    case .popTo(.screen(let screen)): record.screen = screen
    case .popTo(.node(let node)): record.node = node
    case .popToRoot, .back, .logout: break
    case .dismiss(let node): record.node = node
    case .select(let selection, let node):
      switch selection {
      case .tab(let index): record.tab = index
      case .flow(let flow): record.flow = flow
      }
      record.node = node
    case .push(let route):
      record.screen = route.screen
      record.params = route.params
    case .present(let route, let style, let node, let replace):
      record.screen = route.screen
      record.params = route.params
      record.style = style
      record.node = node
      record.replace = replace ? true : nil
    case .set(let routes): record.stack = routes
    case .remove(let node): record.node = node
    case .login(let hasCode, let state, let error, let byOperator):
      record.code = hasCode
      record.state = state
      record.error = error
      record.byOperator = byOperator ? true : nil
    case .token: record.accessToken = true
    case .facts(let values): record.set = values
    case .open(let url): record.url = url
    case .notification(let url, let category, let tap, let appState):
      record.url = url
      record.category = category
      record.tap = tap
      record.appState = appState
    case .advance(let time): record.to = time
    case .effect(let id, let completion):
      record.effect = id
      switch completion {
      case .due(let tick): record.due = tick
      case .loaded(let value): record.loaded = value
      case .failed(let reason): record.failed = reason
      case .exchanged: record.exchanged = true
      case .abandoned(let reason): record.abandoned = reason
      }
    }
    return record
  }

  /// The `type` member; nil for a step, which needs none.
  public var typeName: String? {
    switch self {
    case .step: nil
    case .pop: "pop"
    case .popTo: "popTo"
    case .popToRoot: "popToRoot"
    case .back: "back"
    case .dismiss: "dismiss"
    case .select: "select"
    case .push: "push"
    case .present: "present"
    case .set: "set"
    case .remove: "remove"
    case .login: "login"
    case .logout: "logout"
    case .token: "token"
    case .facts: "facts"
    case .open: "open"
    case .notification: "notification"
    case .advance: "advance"
    case .effect: "effect"
    }
  }

  public init(from decoder: any Decoder) throws {
    let record = try Record(from: decoder)
    guard let action = Action(record) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not an action of this version"))
    }
    self = action
  }

  private init?(_ record: Record) {
    let route = record.screen.map { Route($0, params: record.params ?? [:]) }
    switch record.type {
    case nil:
      guard let step = record.step else { return nil }
      self = .step(Step(step, params: record.params ?? [:]), from: record.from)
    case "pop": self = .pop(count: record.count ?? 1, node: record.node)
    case "popTo":
      if let node = record.node {
        self = .popTo(.node(node))
      } else if let screen = record.screen {
        self = .popTo(.screen(screen))
      } else {
        return nil
      }
    case "popToRoot": self = .popToRoot
    case "back": self = .back
    case "dismiss": self = .dismiss(node: record.node)
    case "select":
      if let tab = record.tab {
        self = .select(.tab(tab), node: record.node)
      } else if let flow = record.flow {
        self = .select(.flow(flow), node: record.node)
      } else {
        return nil
      }
    case "push":
      guard let route else { return nil }
      self = .push(route)
    case "present":
      guard let route else { return nil }
      self = .present(route, style: record.style ?? .sheet, node: record.node, replace: record.replace ?? false)
    case "set":
      guard let stack = record.stack else { return nil }
      self = .set(stack)
    case "remove":
      guard let node = record.node else { return nil }
      self = .remove(node: node)
    case "login":
      self = .login(
        hasCode: record.code ?? false, state: record.state, error: record.error, byOperator: record.byOperator ?? false)
    case "logout": self = .logout
    case "token": self = .token
    case "facts":
      guard let set = record.set else { return nil }
      self = .facts(set)
    case "open":
      guard let url = record.url else { return nil }
      self = .open(url: url)
    case "notification":
      self = .notification(
        url: record.url, category: record.category, tap: record.tap ?? true, appState: record.appState ?? .background)
    case "advance":
      guard let time = record.to else { return nil }
      self = .advance(to: time)
    case "effect":
      guard let id = record.effect else { return nil }
      if let tick = record.due {
        self = .effect(id: id, .due(tick: tick))
      } else if let failed = record.failed {
        self = .effect(id: id, .failed(failed))
      } else if let abandoned = record.abandoned {
        self = .effect(id: id, .abandoned(abandoned))
      } else if record.exchanged == true {
        self = .effect(id: id, .exchanged)
      } else {
        self = .effect(id: id, .loaded(record.loaded ?? .null))
      }
    default: return nil
    }
  }
}
