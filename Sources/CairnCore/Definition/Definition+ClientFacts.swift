extension Definition {
  /// What only an operator may do of setting these facts, in words; nil: a session's client may set them all. A fact that is unknown is
  /// nobody's: what is wrong with it is told later.
  public func operatorsPart(ofSetting set: [String: Value]) -> String? {
    guard facts.values.contains(where: { $0.isClients }) else { return "setting facts" }
    let operators = set.keys.sorted().first { name in
      name == FactDefinition.accessToken || facts.value(exactly: name).map { !$0.isClients } ?? false
    }
    return operators.map { "setting the fact \($0)" }
  }
}
