import CairnCore

extension ActionKind {
  /// An action of this kind.
  package var schema: Schema { schema(with: members.map(\.property)) }

  /// The same with other properties than the usual ones.
  package func schema(with properties: [Property]) -> Schema {
    let type = Property("type", .only(.string(rawValue)))
    let schema = Schema.closed([type] + properties).about(about)
    if self == .pop { return schema.with("not", ["required": ["count", "node"]]) }
    return alternatives.isEmpty ? schema : schema.with("oneOf", .array(alternatives.map { ["required": [.string($0)]] }))
  }
}

extension ActionRequest {
  /// A step, of whatever app.
  package static let stepSchema = Schema.closed(ActionMembers.ofStep.map(\.property)).about("What happened: a step of the app.")

  /// One action. `step`, `facts`: what an app says of them.
  package static func schema(step: Schema = .shared(.step), facts: Schema? = nil) -> Schema {
    .one(
      of: [step]
        + ActionKind.allCases.map { kind in
          guard kind == .facts, let facts else { return kind.schema }
          return kind.schema(with: [Property("set", facts)])
        })
  }

  /// One, or several that are applied whole or not at all.
  package static let bodySchema = Schema.one(of: [
    .shared(.action), .list(of: .shared(.action), atLeast: 1, atMost: limit),
  ])

  /// What a step has beside its name, for an app's own.
  package static func stepSchema(named name: String, params: Property) -> Schema {
    .closed([Property("step", .only(.string(name))), params, ActionMembers.from.property])
  }
}
