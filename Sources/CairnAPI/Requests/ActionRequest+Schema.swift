import CairnCore

extension ActionKind {
  /// The schemas of this kind, each with its name in a document, such as `BackAction`. Of a kind with alternatives each has one, such as
  /// `PopToScreenAction`: generators of clients make no type of members of which exactly one is required.
  package var schemas: [(name: String, schema: Schema)] { schemas(with: members.map(\.property)) }

  /// The same with other properties than the usual ones.
  package func schemas(with properties: [Property]) -> [(name: String, schema: Schema)] {
    guard !alternatives.isEmpty else { return [(Self.name(rawValue), schema(properties))] }
    return alternatives.map { own in
      let others = properties.filter { !alternatives.contains($0.name) || $0.name == own }
      return (Self.name(rawValue, own), schema(others.map { $0.name == own ? Property(own, $0.schema) : $0 }))
    }
  }

  private func schema(_ properties: [Property]) -> Schema {
    let schema = Schema.closed([Property("type", .only(rawValue))] + properties).about(about)
    return self == .pop ? schema.with("not", ["required": ["count", "node"]]) : schema
  }

  private static func name(_ words: String...) -> String {
    words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Action"
  }
}

extension ActionRequest {
  /// A step, of whatever app.
  package static let stepSchema = Schema.closed(ActionMembers.ofStep.map(\.property)).about("What happened: a step of the app.")

  /// One action: a step, or one of the kinds by the names of their schemas.
  package static let schema = Schema.one(of: [.shared(.step)] + ActionKind.allCases.flatMap(\.schemas).map { .named($0.name) })

  /// One, or several that are applied whole or not at all.
  package static let bodySchema = Schema.one(of: [
    .shared(.action), .list(of: .shared(.action), atLeast: 1, atMost: limit),
  ])

  /// The members of a step beside its name, for the schema of one app.
  package static func stepSchema(named name: String, params: Property) -> Schema {
    .closed([Property("step", .only(name)), params, ActionMembers.from.property])
  }
}
