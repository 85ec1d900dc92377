import CairnCore

// The values of a field as clients post them.
extension ActionField.Shape {
  /// Converts a posted value to the form that `ActionValues` holds. Returns `nil` if the value has another type, and always for routes,
  /// which `ActionReader` converts.
  func value(of element: JSONElement) -> Value? {
    switch self {
    case .text, .line: element.string.map(Value.string)
    case .flag: element.bool.map(Value.bool)
    case .integer(let least): element.integer.flatMap { $0 >= least ? .integer($0) : nil }
    case .time: element.integer.map(Value.integer)
    case .duration: element.string.flatMap(DurationText.milliseconds).map(Value.integer)
    case .node: element.string.flatMap { NodeID($0) }.map { .integer($0.number) }
    case .link: element.string.flatMap { LinkID($0) }.map { .integer($0.number) }
    case .word(let words): element.string.flatMap { words.contains($0) ? .string($0) : nil }
    case .value: element.value
    case .values: element.dictionary.map(Value.object)
    case .routes: nil
    }
  }

  /// The end of the message "must be …".
  var expected: String {
    switch self {
    case .text, .line: "a string"
    case .flag: "true or false"
    case .integer(let least): "an integer from \(least) on"
    case .time: "an integer"
    case .duration: "a duration: a number with ms, s, m, h or d"
    case .node: "a node's id, such as \"n7\""
    case .link: "a held link's id, such as \"l3\""
    case .word(let words): "one of \(words.joined(separator: ", "))"
    case .value: "a value"
    case .values: "an object"
    case .routes: "an array"
    }
  }

  var schema: Schema {
    switch self {
    case .text: .text
    case .line: .line
    case .flag: .flag
    case .integer(let least): .whole(from: Int(least))
    case .time: .whole()
    case .duration: .shared(.duration)
    case .node: .shared(.nodeID)
    case .link: .shared(.linkID)
    case .word(let words): .words(words)
    case .value: .shared(.value)
    case .values: .map(of: .shared(.value))
    case .routes: .list(of: .closed(ActionRow.route.map(\.property)))
    }
  }
}

extension ActionField {
  /// The field as a property of an object's schema.
  var property: Property {
    isRequired ? Property(name.description, shape.schema, about) : .maybe(name.description, shape.schema, about)
  }
}
