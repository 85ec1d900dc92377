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
  mutating func read(_ member: JSONElement, _ value: JSONElement) throws(UnreadableFormat) {
    switch member {
    case "type": type = try value.readString()
    case "step": step = try value.readString()
    case "params": params = try value.readValues()
    case "from": from = try value.readNode()
    case "count": count = try value.readInteger()
    case "node": node = try value.readNode()
    case "screen": screen = try value.readString()
    case "tab": tab = try value.readInteger()
    case "flow": flow = try value.readString()
    case "style":
      guard let style = NodeFormat.presentationStyle(try value.readString()) else { throw value.fault("an unknown style") }
      self.style = style
    case "replace": replace = try value.readBool()
    case "stack": stack = try Self.routes(value)
    case "code": code = try value.readBool()
    case "state": state = try value.readString()
    case "error": error = try value.readString()
    case "byOperator": byOperator = try value.readBool()
    case "set": set = try value.readValues()
    case "url": url = try value.readString()
    case "category": category = try value.readString()
    case "tap": tap = try value.readBool()
    case "appState":
      guard let state = CauseFormat.appState(try value.readString()) else { throw value.fault("an unknown state of the app") }
      appState = state
    case "values": message.values = try value.readValues()
    case "action": message.action = try value.readString()
    case "reply": message.reply = try value.readString()
    case "silent": message.isSilent = try value.readBool()
    case "link": link = try value.readLink()
    case "to": to = try value.readInteger()
    case "effect": effect = try value.readInteger()
    case "due": completion = .due(tick: try value.readInteger())
    case "loaded": completion = .loaded(value.stored)
    case "failed": completion = .failed(try value.readString())
    case "abandoned": completion = .abandoned(try value.readString())
    case "exchanged": completion = try value.readBool() ? .exchanged : nil
    default: throw member.unknown
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

  private static func routes(_ value: JSONElement) throws(UnreadableFormat) -> [Action.Route] {
    var routes: [Action.Route] = []
    for element in try value.readElements() {
      var route = Action.Route("")
      for (member, value) in try element.readMembers() {
        switch member {
        case "screen": route.screen = try value.readString()
        case "params": route.params = try value.readValues()
        default: throw member.unknown
        }
      }
      routes.append(route)
    }
    return routes
  }
}
