extension Message: Coded {
  package static var blank: Message { Message(key: "") }

  package static func members<C: Coder & ~Copyable>(_ it: inout Message, _ coder: inout C) throws(C.Failure) {
    try coder.member("key", &it.key)
    try coder.node("node", &it.node)
    #if CLIENT_ENGINE
      // The service sends clients only these members.
    #else
      var flows = it.flows.map { $0.number }
      try coder.list("flows", &flows)
      if C.reads { it.flows = flows.map { NodeID($0) } }
      try coder.member("then", &it.then)
      try coder.member("else", &it.otherwise)
      try coder.member("url", &it.url, unless: "")
      try coder.flag("bearer", &it.bearer)
      try coder.flag("token", &it.hasToken)
      try coder.member("terms", &it.terms, unless: CallTerms(method: .post))
      try coder.member("header", &it.header, unless: "")
      try coder.member("digest", &it.digest, unless: "")
      try coder.flag("held", &it.isHeld)
    #endif
  }
}

#if !CLIENT_ENGINE
  extension EndedMessage: Coded {
    package static var blank: EndedMessage { EndedMessage(Message(key: ""), id: 0, isDone: false) }

    package static func members<C: Coder & ~Copyable>(_ it: inout EndedMessage, _ coder: inout C) throws(C.Failure) {
      try coder.member("id", &it.id)
      try coder.member("key", &it.key)
      try coder.member("header", &it.header)
      try coder.member("digest", &it.digest)
      try coder.flag("done", &it.isDone)
      try coder.member("result", &it.result)
    }
  }

  /// The stored form of changed ends of messages: new and changed ends completely, and the numbers of removed ones.
  enum MessageFormat {
    static func writeChanged(from old: [EndedMessage], to new: [EndedMessage], _ writer: inout JSONWriter) {
      guard old != new else { return }
      let known = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
      let kept = Set(new.map { $0.id })
      let gone = old.map { $0.id }.filter { !kept.contains($0) }
      let changed = new.filter { known[$0.id] != $0 }
      if !gone.isEmpty { writer.member("C", gone) }
      guard !changed.isEmpty else { return }
      writer.name("M")
      [EndedMessage].write(changed, &writer)
    }

    static func readChanged(into book: inout MessageBook, _ value: JSONElement) throws(UnreadableFormat) {
      for element in try value.readElements() { book.put(try EndedMessage(reading: element)) }
    }
  }
#endif
