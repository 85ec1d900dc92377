import CairnCore

/// The members of an action on the disk, whatever their order, until it is known which action they make.
struct ActionRecord {
  private var type: String?
  private var step: String?
  private var params: [String: Value] = [:]
  private var from: NodeID?
  private var count = 1
  private var node: NodeID?
  private var screen: String?
  private var tab: Int?
  private var flow: String?
  private var style = PresentationStyle.sheet
  private var replace = false
  private var stack: [Action.Route]?
  private var code = false
  private var state: String?
  private var error: String?
  private var byOperator = false
  private var set: [String: Value]?
  private var url: String?
  private var category: String?
  private var tap = true
  private var appState = Action.AppState.background
  private var message = Action.Message()
  private var link: LinkID?
  private var to: Int?
  private var effect: Int?
  private var completion: Action.Completion?

  /// Reads the value of a member.
  mutating func read(_ member: DiskName, _ reader: inout DiskReader) throws(UnreadableFormat) {
    switch member {
    case "type": type = try reader.string()
    case "step": step = try reader.string()
    case "params": params = try reader.values()
    case "from": from = try reader.node()
    case "count": count = try reader.integer()
    case "node": node = try reader.node()
    case "screen": screen = try reader.string()
    case "tab": tab = try reader.integer()
    case "flow": flow = try reader.string()
    case "style":
      guard let style = NodeFormat.presentationStyle(try reader.string()) else { throw reader.fault("an unknown style") }
      self.style = style
    case "replace": replace = try reader.bool()
    case "stack": stack = try Self.routes(&reader)
    case "code": code = try reader.bool()
    case "state": state = try reader.string()
    case "error": error = try reader.string()
    case "byOperator": byOperator = try reader.bool()
    case "set": set = try reader.values()
    case "url": url = try reader.string()
    case "category": category = try reader.string()
    case "tap": tap = try reader.bool()
    case "appState":
      guard let state = CauseFormat.appState(try reader.string()) else { throw reader.fault("an unknown state of the app") }
      appState = state
    case "values": message.values = try reader.values()
    case "action": message.action = try reader.string()
    case "reply": message.reply = try reader.string()
    case "silent": message.isSilent = try reader.bool()
    case "link": link = try reader.link()
    case "to": to = try reader.integer()
    case "effect": effect = try reader.integer()
    case "due": completion = .due(tick: try reader.integer())
    case "loaded": completion = .loaded(try reader.value())
    case "failed": completion = .failed(try reader.string())
    case "abandoned": completion = .abandoned(try reader.string())
    case "exchanged": completion = try reader.bool() ? .exchanged : nil
    default: throw reader.unknown(member)
    }
  }

  /// The action that the members make; nil: none.
  var action: Action? {
    switch type {
    case nil: step.map { .step(Step($0, params: params), from: from) }
    case "pop": .pop(count: count, node: node)
    case "popTo": node.map { .popTo(.node($0)) } ?? screen.map { .popTo(.screen($0)) }
    case "popToRoot": .popToRoot
    case "back": .back
    case "dismiss": .dismiss(node: node)
    case "select": tab.map { .select(.tab($0), node: node) } ?? flow.map { .select(.flow($0), node: node) }
    case "push": screen.map { .push(Action.Route($0, params: params)) }
    case "present":
      screen.map { .present(Action.Route($0, params: params), style: style, node: node, replace: replace) }
    case "set": stack.map { .set($0) }
    case "remove": node.map { .remove(node: $0) }
    case "login": .login(hasCode: code, state: state, error: error, byOperator: byOperator)
    case "logout": .logout
    case "cancel": link.map { .cancel(link: $0) }
    case "token": .token
    case "appState": state.flatMap(CauseFormat.activity).map { .appState($0) }
    case "facts": set.map { .facts($0) }
    case "open": url.map { .open(url: $0) }
    case "notification": .notification(url: url, category: category, tap: tap, appState: appState, message)
    case "advance": to.map { .advance(to: $0) }
    case "effect": effect.flatMap { id in completion.map { .effect(id: id, $0) } }
    default: nil
    }
  }

  private static func routes(_ reader: inout DiskReader) throws(UnreadableFormat) -> [Action.Route] {
    var routes: [Action.Route] = []
    try reader.array { reader throws(UnreadableFormat) in
      var route = Action.Route("")
      try reader.object { reader, member throws(UnreadableFormat) in
        switch member {
        case "screen": route.screen = try reader.string()
        case "params": route.params = try reader.values()
        default: throw reader.unknown(member)
        }
      }
      routes.append(route)
    }
    return routes
  }
}
