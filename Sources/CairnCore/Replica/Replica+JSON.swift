extension Replica {
  /// Writes the members `accepts`, `facts`, `revision`, `stack`, `tree` and `visible` of an open object, as the service writes them for a session.
  public func writeView(to writer: inout JSONWriter) { reducer.writeView(of: shown, confirmed: revision, to: &writer) }
}

extension Reducer {
  /// Writes the view of a replica, as members of an open object. `confirmed` is the newest revision that the service has confirmed.
  package func writeView(of state: State, confirmed: Int, to writer: inout JSONWriter) {
    writer.member("accepts", accepts(state))
    writer.member("facts", shownFacts(of: state))
    writer.member("revision", WideInt(confirmed))
    writeView(of: state, to: &writer)
  }

  /// The facts without the hidden ones. The value of `accessToken` is whether the session has a token.
  package func shownFacts(of state: State) -> [String: Value] {
    var facts = state.facts
    for name in hiddenFacts { facts[name] = nil }
    facts[FactDefinition.accessToken] = .bool(state.facts[FactDefinition.accessToken] != nil)
    return facts
  }
}

extension ReplicaPrediction: JSONWritable {
  /// Writes `{"created":…}` if the action's effect is shown, with `"exit":true` if the client leaves the app. Writes `{"reason":…}` in any
  /// other case; a refusal also has its message as `refusal`.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .shown(_, let created, let exits):
      writer.member("created", created)
      if exits { writer.member("exit", true) }
    case .unchanged(let reason): writer.member("reason", reason)
    case .refused(let refusal):
      writer.member("reason", refusal.code.rawValue)
      writer.member("refusal", refusal.detail)
    case .unpredictable: writer.member("reason", "unpredictable")
    case .waiting: writer.member("reason", "waiting")
    }
    writer.endObject()
  }
}

extension ReplicaUpdate: JSONWritable {
  /// Writes the new ids, such as `{"renamed":{"n7":"n8"}}`. Omits the changes, because a client that reads this JSON draws the whole view.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("renamed")
    writer.beginObject()
    for old in renamed.keys.sorted() {
      writer.key(old.description)
      writer.id(renamed[old] ?? old)
    }
    writer.endObject()
    writer.endObject()
  }
}
