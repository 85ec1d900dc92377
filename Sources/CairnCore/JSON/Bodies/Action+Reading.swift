extension Action {
  /// Reads an action that the engine of a client can predict, as the client posts it. Returns `nil` for other JSON, for a kind of action that no engine
  /// predicts, and for an action with `deliver`.
  package init?(posted element: JSONElement) {
    let type = element["type"]
    // No engine predicts an action with `deliver: settled`, because the service may hold it.
    guard let kind = type.map({ Kind($0) }) ?? .step, element["deliver"] == nil else { return nil }
    guard kind == .step || kind.isGesture || kind == .cancel || kind == .appState || kind == .open || kind == .contact || kind == .tick
    else { return nil }
    var values = ActionValues()
    for (place, field) in ActionRow[kind].posted.enumerated() {
      guard let member = element[field.name] else {
        if field.isRequired { return nil }
        continue
      }
      guard let value = field.shape.value(of: member) else { return nil }
      values[place] = value
    }
    self.init(kind, values)
  }
}

extension ActionField.Shape {
  /// Converts a posted value to the form that `ActionValues` contains. Returns `nil` if the value has another type. Also returns `nil` for
  /// routes, which `ActionReader` converts.
  package func value(of element: JSONElement) -> Value? {
    switch self {
    case .text, .line, .token: element.string.map { .string($0) }
    case .url: element.string.flatMap { LinkLimit.allows($0) ? .string($0) : nil }
    case .flag: element.bool.map { .bool($0) }
    case .integer(let least): element.integer.flatMap { $0 >= least ? .integer($0) : nil }
    case .time: element.integer.map { .integer($0) }
    case .duration: element.string.flatMap { DurationText.milliseconds($0) }.map { .integer($0) }
    case .node: element.string.flatMap { NodeID($0) }.map { .integer($0.number) }
    case .link: element.string.flatMap { LinkID($0) }.map { .integer($0.number) }
    case .question: element.string.flatMap { QuestionID($0) }.map { .integer($0.number) }
    case .held: Self.held(element)
    case .word(let words): element.string.flatMap { words.contains($0) ? .string($0) : nil }
    case .value: element.value
    case .values: element.dictionary.map { .object($0) }
    case .routes: nil
    }
  }

  private static func held(_ element: JSONElement) -> Value? {
    #if CLIENT_ENGINE
      return nil
    #else
      return element.string.flatMap { HeldID($0) }.map { .integer($0.number) }
    #endif
  }
}
