package import CairnCore

extension StateFormat {
  /// What makes `new` of `old`, both of the same session. Only what changed is written.
  package static func difference(from old: State, to new: State) -> [UInt8] {
    var writer = DiskWriter()
    writer.open("{")
    writer.member("r", new.revision, unless: old.revision)
    writer.member("N", new.nextNode, unless: old.nextNode)
    writer.member("E", new.nextEffect, unless: old.nextEffect)
    writer.member("t", new.tokenWrites, unless: old.tokenWrites)
    writer.member("o", new.root.number, unless: old.root.number)
    NodeFormat.writeChanged(from: old.nodes, to: new.nodes, &writer)
    if !new.sharesRest(with: old) {
      writeFacts(from: old.facts, to: new.facts, &writer)
      EffectFormat.writeChanged(from: old.effects, to: new.effects, &writer)
      writeRest(from: old, to: new, &writer)
    }
    if old.manualTime != new.manualTime {
      writer.name("m")
      if let time = new.manualTime { writer.write(time) } else { writer.null() }
    }
    writer.close("}")
    return writer.bytes
  }

  private static func writeFacts(from old: [String: Value], to new: [String: Value], _ writer: inout DiskWriter) {
    guard old != new else { return }
    writer.name("f")
    writer.open("{")
    for (name, value) in new where old[name] != value {
      writer.name(name)
      writer.write(value)
    }
    writer.close("}")
    let gone = old.keys.filter { new[$0] == nil }
    guard !gone.isEmpty else { return }
    writer.name("d")
    writer.open("[")
    for name in gone {
      writer.separate()
      writer.write(name)
    }
    writer.close("]")
  }

  /// What hardly ever changes: whole.
  private static func writeRest(from old: State, to new: State, _ writer: inout DiskWriter) {
    if old.listeners != new.listeners {
      writer.name("l")
      writer.open("[")
      for listener in new.listeners {
        writer.separate()
        writer.open("{")
        writer.member("node", listener.node.number)
        writer.member("screen", listener.screen)
        writer.member("flow", listener.flow.number)
        writer.close("}")
      }
      writer.close("]")
    }
    if old.pendingLinks != new.pendingLinks {
      writer.name("h")
      writer.open("[")
      for link in new.pendingLinks {
        writer.separate()
        writer.open("{")
        writer.member("id", link.id.description)
        writer.member("url", link.url)
        writer.member("until", link.until)
        writer.close("}")
      }
      writer.close("]")
    }
    writer.member("k", new.nextLink, unless: old.nextLink)
    if old.login != new.login {
      writer.name("g")
      writer.open("{")
      writer.member("status", word(new.login.status))
      if let reason = new.login.reason { writer.member("reason", reason) }
      writer.close("}")
    }
    if old.refusedToken != new.refusedToken {
      writer.name("u")
      if let token = new.refusedToken { writer.write(token) } else { writer.null() }
    }
    if old.leftForeground != new.leftForeground {
      writer.name("a")
      if let time = new.leftForeground { writer.write(time) } else { writer.null() }
    }
    if old.environment != new.environment {
      writer.name("v")
      writer.write(new.environment.mapValues(Value.string))
    }
    if old.manualRequests != new.manualRequests { writer.member("mr", new.manualRequests) }
  }

  // The words on the disk are the format's own, and the compiler asks for one for each case.

  private static func word(_ status: Login.Status) -> String {
    switch status {
    case .loggedOut: "loggedOut"
    case .requesting: "requesting"
    case .failed: "failed"
    case .loggedIn: "loggedIn"
    }
  }

  /// nil: no such word.
  static func loginStatus(_ word: String) -> Login.Status? {
    switch word {
    case "loggedOut": .loggedOut
    case "requesting": .requesting
    case "failed": .failed
    case "loggedIn": .loggedIn
    default: nil
    }
  }
}
