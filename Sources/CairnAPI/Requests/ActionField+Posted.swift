import CairnCore

// Describes the fields of an action for clients, in problem details and in the OpenAPI document.
extension ActionField.Shape {
  /// The text after "must be" in the message about an invalid value.
  var expected: String {
    switch self {
    case .text, .line, .token: "a string"
    case .url: "a URL of at most \(LinkLimit.bytes) bytes"
    case .flag: "true or false"
    case .integer(let least): "an integer of at least \(least)"
    case .time: "an integer"
    case .duration: "a duration: a number with ms, s, m, h or d"
    case .node: "a node's id, such as \"n7\""
    case .link: "a held link's id, such as \"l3\""
    case .question: "a question's id, such as \"q2\""
    case .held: "a held action's id, such as \"h4\""
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
    case .token: .token
    case .url: .url
    case .flag: .flag
    case .integer(let least): .whole(from: Int(least))
    case .time: .whole()
    case .duration: .shared(.duration)
    case .node: .shared(.nodeID)
    case .link: .shared(.linkID)
    case .question: .shared(.questionID)
    case .held: .shared(.heldID)
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
