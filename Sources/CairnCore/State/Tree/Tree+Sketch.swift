extension Tree {
  /// The tree in one line, for readers, messages and scenario files: `app[home, product(productId: 1)] ^ terms`.
  ///
  /// A stack is written as `name[bottom, top]`, tabs as `name<*selected, other>`, a switch as `name{child}`, a split as
  /// `name{master | detail}`, and a screen as its name with its params. ` ^ ` precedes a presented node, ` +top ` an overlay in the slot
  /// `top`, and ` ^2 ` a node on level 2. The content follows as `~loading`, `~failed`, `~loaded`, or `~` and its value. The facts of a flow
  /// follow its nodes: `transfer[amount, confirm]:{amount:50}`.
  public var sketch: String {
    let body = kind.rules?.sketch((children ?? []).map { $0.sketch }, selected: selected) ?? ""
    let given = (params ?? [:]).sortedByKey.map { "\($0.key): \($0.value.shortText)" }
    let values = given.isEmpty ? "" : "(\(given.joined(separator: ", ")))"
    let facts = self.facts.map { ":\(Value.object($0).compactText)" } ?? ""
    let status =
      switch content?.status {
      case nil, .idle: ""
      case .loading: "~loading"
      case .failed: "~failed"
      case .loaded: content?.value.map { "~\($0.compactText)" } ?? "~loaded"
      }
    let modal = presented.map { " ^ \($0.sketch)" } ?? ""
    let raised = (levels ?? []).map { " ^\($0.level ?? 0) \($0.sketch)" }.joined()
    let laid = (overlays ?? []).map { " +\($0.slot ?? "") \($0.sketch)" }.joined()
    return name + values + body + facts + status + modal + laid + raised
  }
}

extension Value {
  /// The value as JSON without spaces, with sorted members and unquoted strings. For readers only.
  var compactText: String {
    switch self {
    case .array(let elements): "[\(elements.map { $0.compactText }.joined(separator: ","))]"
    case .object(let members):
      "{\(members.sortedByKey.map { "\($0.key):\($0.value.compactText)" }.joined(separator: ","))}"
    default: shortText
    }
  }
}
