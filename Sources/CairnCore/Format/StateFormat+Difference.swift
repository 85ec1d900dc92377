extension StateFormat {
  /// The difference between two states of the same session. If `transition` is given, it supplies the changed nodes; otherwise the states are
  /// compared.
  package static func difference(from old: State, to new: State, by transition: Transition? = nil) -> [UInt8] {
    JSONWriter.stored { writer in
      writer.beginObject()
      writer.member("r", WideInt(new.revision), unless: WideInt(old.revision))
      writer.member("N", new.nextNode, unless: old.nextNode)
      writer.member("E", new.nextEffect, unless: old.nextEffect)
      writer.member("t", WideInt(new.tokenWrites), unless: WideInt(old.tokenWrites))
      writer.member("o", new.root.number, unless: old.root.number)
      NodeFormat.writeChanged(from: old, to: new, by: transition, &writer)
      if !new.sharesRest(with: old) {
        writeFacts(from: old.facts, to: new.facts, &writer)
        EffectFormat.writeChanged(from: old.effects, to: new.effects, &writer)
        writeRest(from: old, to: new, &writer)
      }
      writer.member("m", new.manualTime, unless: old.manualTime)
      writer.endObject()
    }
  }

  private static func writeFacts(from old: [String: Value], to new: [String: Value], _ writer: inout JSONWriter) {
    guard old != new else { return }
    writer.name("f")
    writer.beginObject()
    for (name, value) in new where old[name] != value {
      writer.key(name)
      value.write(to: &writer)
    }
    writer.endObject()
    let gone = old.keys.filter { new[$0] == nil }
    guard !gone.isEmpty else { return }
    writer.member("d", gone)
  }

  /// Writes the parts that rarely change, each completely.
  private static func writeRest(from old: State, to new: State, _ writer: inout JSONWriter) {
    if old.listeners != new.listeners {
      writer.name("l")
      writer.beginArray()
      for listener in new.listeners {
        writer.beginObject()
        writer.member("node", listener.node.number)
        writer.member("screen", listener.screen)
        writer.member("flow", listener.flow.number)
        writer.endObject()
      }
      writer.endArray()
    }
    if old.pendingLinks != new.pendingLinks {
      writer.name("h")
      writer.beginArray()
      for link in new.pendingLinks {
        writer.beginObject()
        writer.member("id", link.id.description)
        writer.member("url", link.url)
        writer.member("until", link.until)
        writer.endObject()
      }
      writer.endArray()
    }
    writer.member("k", new.nextLink, unless: old.nextLink)
    if old.login != new.login {
      writer.name("g")
      writer.beginObject()
      writer.member("status", word(new.login.status))
      if let reason = new.login.reason { writer.member("reason", reason) }
      writer.endObject()
    }
    writer.member("u", new.refusedToken.map { WideInt($0) }, unless: old.refusedToken.map { WideInt($0) })
    writer.member("a", new.leftForeground, unless: old.leftForeground)
    if old.environment != new.environment { writer.member("v", new.environment) }
    if old.clients != new.clients {
      writer.name("i")
      writer.beginObject()
      for sender in new.clients {
        writer.key(sender.client)
        writer.integer(sender.number)
      }
      writer.endObject()
    }
    if old.manualRequests != new.manualRequests { writer.member("mr", new.manualRequests) }
  }

  // The stored words are defined here, independently of the enums' raw values. The compiler requires a word for each case.

  private static func word(_ status: Login.Status) -> String {
    switch status {
    case .loggedOut: "loggedOut"
    case .requesting: "requesting"
    case .failed: "failed"
    case .loggedIn: "loggedIn"
    }
  }

  /// The status for a stored word; `nil` if the word is unknown.
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
