package import CairnCore

extension Action {
  /// The text of the action in a scenario: the form that clients post, or a short form. `nil` if the posted form cannot be derived from the
  /// stored action.
  package var scenarioText: String? {
    let row = ActionRow[kind]
    guard row.isPostedAsKept else { return nil }
    var members: [String: Value] = [:]
    let values = values
    for (place, field) in row.fields.enumerated() {
      guard let value = values[place], row.short != nil || value != [:] else { continue }
      members[field.name.description] = field.shape.posted(value)
    }
    // Only one of the alternatives can be posted. If an action has both a count and a node, the count has no effect.
    for other in row.alternatives.map({ row.fields[$0].name.description }).filter({ members[$0] != nil }).dropLast() {
      members[other] = nil
    }
    let word = row.word.description
    if case .settled = self {
      members["deliver"] = .string("\(Action.settledWord)")
      if kind != .step { members["type"] = .string(word) }
      return YAMLText.map(first: kind == .step ? word : "type", members)
    }
    if row.isWord, members.isEmpty { return word }
    if kind == .step { return YAMLText.map(first: word, members) }
    if let short = row.short, let value = members[short.description] { return YAMLText.map(first: word, [word: value]) }
    members["type"] = .string(word)
    return YAMLText.map(first: "type", members)
  }
}

extension ActionField.Shape {
  /// Converts a value of `ActionValues` to the form that clients post.
  fileprivate func posted(_ value: Value) -> Value {
    switch (self, value) {
    case (.node, .integer(let number)): .string(NodeID(number).description)
    case (.link, .integer(let number)): .string(LinkID(number).description)
    case (.question, .integer(let number)): .string(QuestionID(number).description)
    case (.held, .integer(let number)): .string(HeldID(number).description)
    case (.routes, .array(let routes)): .array(routes.map { route in Self.withoutNoParams(route) })
    default: value
    }
  }

  private static func withoutNoParams(_ route: Value) -> Value {
    guard case .object(var members) = route, members["params"] == [:] else { return route }
    members["params"] = nil
    return .object(members)
  }
}
