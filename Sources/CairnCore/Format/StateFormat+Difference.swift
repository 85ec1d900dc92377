extension StateFormat {
  /// The stored difference between two states of the same session. If `transition` is given, it supplies the changed nodes; otherwise the nodes of the states
  /// are compared.
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
        #if !CLIENT_ENGINE
          MessageFormat.writeChanged(from: old.endedMessages, to: new.endedMessages, &writer)
        #endif
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
    // Sorted, so that the same action always stores the same bytes.
    let gone = old.keys.filter { new[$0] == nil }.sorted()
    guard !gone.isEmpty else { return }
    writer.member("d", gone)
  }

  /// Writes the parts that rarely change, each completely.
  private static func writeRest(from old: State, to new: State, _ writer: inout JSONWriter) {
    if old.listeners != new.listeners {
      writer.name("l")
      [Listener].write(new.listeners, &writer)
    }
    if old.pendingLinks != new.pendingLinks {
      writer.name("h")
      [PendingLink].write(new.pendingLinks, &writer)
    }
    writer.member("k", new.nextLink, unless: old.nextLink)
    if old.question != new.question {
      writer.name("q")
      if let question = new.question { Question.write(question, &writer) } else { writer.null() }
    }
    writer.member("Q", new.questionBook.next, unless: old.questionBook.next)
    if old.sightings != new.sightings {
      writer.name("s")
      [Sighting].write(new.sightings, &writer)
    }
    if old.login != new.login {
      writer.name("g")
      Login.write(new.login, &writer)
    }
    writer.member("u", new.refusedToken.map { WideInt($0) }, unless: old.refusedToken.map { WideInt($0) })
    writer.member("a", new.leftForeground, unless: old.leftForeground)
    writer.member("A", new.leftForegroundByClient, unless: old.leftForegroundByClient)
    if old.environment != new.environment { writer.member("v", new.environment) }
    #if !CLIENT_ENGINE
      if old.clients != new.clients {
        writer.name("i")
        writer.beginObject()
        for sender in new.clients {
          writer.key(sender.client)
          writer.integer(sender.number)
        }
        writer.endObject()
      }
      if old.contacts != new.contacts {
        writer.name("I")
        [ClientContact].write(new.contacts, &writer)
      }
      if old.heldActions != new.heldActions {
        writer.name("H")
        [HeldAction].write(new.heldActions, &writer)
      }
    #endif
    if old.zones != new.zones {
      writer.name("z")
      [ZoneWindow].write(new.zones, &writer)
    }
    if old.manualRequests != new.manualRequests { writer.member("mr", new.manualRequests) }
  }
}

extension Listener: Coded {
  package static var blank: Listener { Listener(node: NodeID(0), screen: "", flow: NodeID(0)) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Listener, _ coder: inout C) throws(C.Failure) {
    try coder.node("node", &it.node)
    try coder.member("screen", &it.screen)
    try coder.node("flow", &it.flow)
  }
}

extension PendingLink: Coded {
  package static var blank: PendingLink { PendingLink(url: "", until: 0) }

  package static func members<C: Coder & ~Copyable>(_ it: inout PendingLink, _ coder: inout C) throws(C.Failure) {
    var id = it.id.description
    try coder.member("id", &id)
    guard let known = LinkID(id), known.number <= State.highestNumber else { return try coder.reject("not a link's id") }
    it.id = known
    try coder.member("url", &it.url)
    try coder.member("until", &it.until)
  }
}

extension Login: Coded {
  package static var blank: Login { Login(status: .loggedOut) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Login, _ coder: inout C) throws(C.Failure) {
    try coder.member("status", &it.status)
    try coder.member("reason", &it.reason)
  }
}

extension Login.Status: CodedValue {
  package static var blank: Login.Status { .loggedOut }

  /// The stored words are independent of the raw values. The compiler requires a word for each case.
  package static func code<C: Coder & ~Copyable>(_ it: inout Login.Status, _ coder: inout C) throws(C.Failure) {
    var word =
      switch it {
      case .loggedOut: "loggedOut"
      case .requesting: "requesting"
      case .failed: "failed"
      case .loggedIn: "loggedIn"
      }
    try coder.code(&word)
    switch word {
    case "loggedOut": it = .loggedOut
    case "requesting": it = .requesting
    case "failed": it = .failed
    case "loggedIn": it = .loggedIn
    default: try coder.reject("an unknown status")
    }
  }
}
