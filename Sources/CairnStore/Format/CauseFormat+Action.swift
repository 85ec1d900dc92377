import CairnCore

extension CauseFormat {
  static func write(_ action: Action, _ writer: inout JSONWriter) {
    writer.beginObject()
    switch action {
    case .step(let step, let from):
      writer.member("step", step.step)
      if !step.params.isEmpty { writer.params(step.params) }
      writer.node("from", from)
    case .pop(let count, let node):
      writer.member("type", "pop")
      if count != 1 { writer.member("count", count) }
      writer.node("node", node)
    case .popTo(let destination):
      writer.member("type", "popTo")
      switch destination {
      case .screen(let screen): writer.member("screen", screen)
      case .node(let node): writer.node("node", node)
      }
    case .popToRoot: writer.member("type", "popToRoot")
    case .back: writer.member("type", "back")
    case .dismiss(let node):
      writer.member("type", "dismiss")
      writer.node("node", node)
    case .select(let selection, let node):
      writer.member("type", "select")
      switch selection {
      case .tab(let index): writer.member("tab", index)
      case .flow(let flow): writer.member("flow", flow)
      }
      writer.node("node", node)
    case .push(let route):
      writer.member("type", "push")
      writer.route(route)
    case .present(let route, let style, let node, let replace):
      writer.member("type", "present")
      writer.route(route)
      writer.member("style", NodeFormat.word(style))
      writer.node("node", node)
      if replace { writer.member("replace", true) }
    case .set(let routes):
      writer.member("type", "set")
      writer.name("stack")
      writer.beginArray()
      for route in routes {
        writer.beginObject()
        writer.route(route)
        writer.endObject()
      }
      writer.endArray()
    case .remove(let node):
      writer.member("type", "remove")
      writer.node("node", node)
    case .login(let hasCode, let state, let error, let byOperator):
      writer.member("type", "login")
      writer.member("code", hasCode)
      if let state { writer.member("state", state) }
      if let error { writer.member("error", error) }
      if byOperator { writer.member("byOperator", true) }
    case .logout: writer.member("type", "logout")
    case .cancel(let link):
      writer.member("type", "cancel")
      writer.member("link", link.description)
    case .token: writer.member("type", "token")
    case .appState(let activity):
      writer.member("type", "appState")
      writer.member("state", word(activity))
    case .facts(let values):
      writer.member("type", "facts")
      writer.member("set", values)
    case .open(let url):
      writer.member("type", "open")
      writer.member("url", url)
    case .notification(let url, let category, let tap, let appState, let message):
      writer.member("type", "notification")
      if let url { writer.member("url", url) }
      if let category { writer.member("category", category) }
      writer.member("tap", tap)
      writer.member("appState", word(appState))
      if !message.values.isEmpty {
        writer.member("values", message.values)
      }
      if let action = message.action { writer.member("action", action) }
      if let reply = message.reply { writer.member("reply", reply) }
      if message.isSilent { writer.member("silent", true) }
    case .advance(let time):
      writer.member("type", "advance")
      writer.member("to", time)
    case .effect(let id, let completion):
      writer.member("type", "effect")
      writer.member("effect", id)
      switch completion {
      case .due(let tick): writer.member("due", tick)
      case .loaded(let value):
        writer.member("loaded", value)
      case .failed(let reason): writer.member("failed", reason)
      case .exchanged: writer.member("exchanged", true)
      case .abandoned(let reason): writer.member("abandoned", reason)
      }
    }
    writer.endObject()
  }

  private static func word(_ activity: Action.Activity) -> String {
    switch activity {
    case .foreground: "foreground"
    case .inactive: "inactive"
    case .background: "background"
    }
  }

  /// nil: no such word.
  static func activity(_ word: String) -> Action.Activity? {
    switch word {
    case "foreground": .foreground
    case "inactive": .inactive
    case "background": .background
    default: nil
    }
  }

  private static func word(_ state: Action.AppState) -> String {
    switch state {
    case .foreground: "foreground"
    case .background: "background"
    case .killed: "killed"
    }
  }

  /// nil: no such word.
  static func appState(_ word: String) -> Action.AppState? {
    switch word {
    case "foreground": .foreground
    case "background": .background
    case "killed": .killed
    default: nil
    }
  }
}

extension JSONWriter {
  fileprivate mutating func params(_ params: [String: Value]) {
    member("params", params)
  }

  fileprivate mutating func node(_ name: StaticString, _ node: NodeID?) {
    if let node { member(name, node.number) }
  }

  fileprivate mutating func route(_ route: Action.Route) {
    member("screen", route.screen)
    params(route.params)
  }
}
