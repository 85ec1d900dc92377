extension Action: JSONWritable {
  /// Writes the action as a client posts it, with `true` instead of a secret.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("type", ifPresent: typeName)
    switch self {
    case .step(let step, let from):
      writer.member("step", step.step)
      if !step.params.isEmpty { writer.member("params", step.params) }
      writer.member("from", ifPresent: from)
    case .pop(let count, let node):
      if count != 1 { writer.member("count", count) }
      writer.member("node", ifPresent: node)
    case .popTo(.screen(let screen)): writer.member("screen", screen)
    case .popTo(.node(let node)): writer.member("node", node)
    case .popToRoot, .back, .logout: break
    case .dismiss(let node): writer.member("node", ifPresent: node)
    case .select(let selection, let node):
      switch selection {
      case .tab(let index): writer.member("tab", index)
      case .flow(let flow): writer.member("flow", flow)
      }
      writer.member("node", ifPresent: node)
    case .push(let route): route.writeMembers(to: &writer)
    case .present(let route, let style, let node, let replace):
      route.writeMembers(to: &writer)
      writer.member("style", style)
      writer.member("node", ifPresent: node)
      if replace { writer.member("replace", true) }
    case .set(let routes): writer.member("stack", routes)
    case .remove(let node): writer.member("node", node)
    case .login(let hasCode, let state, let error, let byOperator):
      writer.member("code", hasCode)
      writer.member("state", ifPresent: state)
      writer.member("error", ifPresent: error)
      if byOperator { writer.member("byOperator", true) }
    case .cancel(let link): writer.member("link", link)
    case .token: writer.member("accessToken", true)
    case .appState(let activity): writer.member("state", activity)
    case .facts(let values): writer.member("set", values)
    case .open(let url): writer.member("url", url)
    case .notification(let url, let category, let tap, let appState, let message):
      writer.member("url", ifPresent: url)
      writer.member("category", ifPresent: category)
      writer.member("tap", tap)
      writer.member("appState", appState)
      if !message.values.isEmpty { writer.member("values", message.values) }
      writer.member("action", ifPresent: message.action)
      writer.member("reply", ifPresent: message.reply)
      if message.isSilent { writer.member("silent", true) }
    case .advance(let time): writer.member("to", time)
    case .effect(let id, let completion):
      writer.member("effect", id)
      switch completion {
      case .due(let tick): writer.member("due", tick)
      case .loaded(let value): writer.member("loaded", value)
      case .failed(let reason): writer.member("failed", reason)
      case .exchanged: writer.member("exchanged", true)
      case .abandoned(let reason): writer.member("abandoned", reason)
      }
    }
    writer.endObject()
  }
}

extension Action.AppState: JSONWritable {}

extension Action.Activity: JSONWritable {}

extension Action.Route: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("screen", screen)
    writer.member("params", params)
  }
}
