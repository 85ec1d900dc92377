extension Definition {
  /// Describes the facts in `set` that only an operator may set; `nil` if a session's client may set them all. Unknown facts are ignored here and reported
  /// later.
  public func operatorsPart(ofSetting set: [String: Value]) -> String? {
    guard facts.values.contains(where: { $0.isClients }) else { return "setting facts" }
    let operators = set.keys.sorted().first { name in
      name == FactDefinition.accessToken || facts.value(exactly: name).map { !$0.isClients } ?? false
    }
    return operators.map { "setting the fact \($0)" }
  }
}
