import CairnCore

extension ActionRow {
  /// The schemas of this kind, each with its name in a document, such as `BackAction`. If a kind needs one of several alternatives, each
  /// alternative has its own schema, such as `PopToScreenAction`. Client generators cannot express that exactly one of several members is
  /// required.
  package var schemas: [(name: String, schema: Schema)] { schemas(with: posted.map(\.property)) }

  /// The schemas of all kinds that have a `type`.
  package static var schemas: [(name: String, schema: Schema)] { Action.Kind.posted.flatMap { ActionRow[$0].schemas } }

  /// Returns the schemas of this kind with the given properties instead of the usual properties.
  package func schemas(with properties: [Property]) -> [(name: String, schema: Schema)] {
    let word = word.description
    let alternatives = alternatives.map { posted[$0].name.description }
    guard needsAlternative else {
      return [(Self.name(word), schema(properties).with("not", ["required": .array(alternatives.map(Value.string))]))]
    }
    guard !alternatives.isEmpty else { return [(Self.name(word), schema(properties))] }
    return alternatives.map { own in
      let others = properties.filter { !alternatives.contains($0.name) || $0.name == own }
      return (Self.name(word, own), schema(others.map { $0.name == own ? Property(own, $0.schema) : $0 }))
    }
  }

  private func schema(_ properties: [Property]) -> Schema {
    let common = [ActionReader.definitionMember.property] + (kind.canSettle ? [ActionReader.deliverMember.property] : [])
    return Schema.closed([Property("type", .only(word.description))] + properties + common).about(about)
  }

  private static func name(_ words: String...) -> String {
    words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Action"
  }
}

extension ActionRequest {
  /// A step of any app.
  package static let stepSchema = Schema.closed(
    step.posted.map(\.property) + [ActionReader.definitionMember.property, ActionReader.deliverMember.property]
  ).about(step.about)

  private static var step: ActionRow { ActionRow[.step] }

  /// One action: a step, or an action of another kind.
  package static let schema = Schema.one(of: [.shared(.step)] + ActionRow.schemas.map { .named($0.name) })

  /// One action, an array of actions that is applied as a whole or not at all, or numbered actions.
  package static let bodySchema = Schema.one(of: [
    .shared(.action), .list(of: .shared(.action), atLeast: 1, atMost: limit), .shared(.numberedActions),
  ])

  /// The schema of one step of an app, with the step's name and params.
  package static func stepSchema(named name: String, params: Property) -> Schema {
    .closed(
      [Property("step", .only(name)), params] + step.posted.suffix(1).map(\.property)
        + [ActionReader.definitionMember.property, .maybe("deliver", .shared(.delivery))])
  }
}
