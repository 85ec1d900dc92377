import CairnCore

extension AppsBody {
  static let schema = Schema.object([
    Property("apps", .list(of: .object([Property("app", .text), Property("definition", .text, "The definition's hash.")])))
  ])
}

extension AppBody {
  private static let names = Schema.list(of: .text)
  private static let params = Property("params", SessionBody.typesByName, "Types by name, ? behind an optional one.")
  private static let meta = Property.maybe("meta", .shared(.value), "As the definition has it.")

  static let schema = Schema.object([
    Property("app", .text), Property("definition", .text, "The definition's hash."),
    Property("screens", .list(of: .object([Property("screen", .text), params, .maybe("emits", names, "Left out: any step."), meta]))),
    Property(
      "flows",
      .list(
        of: .object([
          Property("flow", .text), Property("container", .words(FlowDefinition.Container.self)), Property("handles", names),
          .maybe("emits", names), meta,
        ]))),
    Property(
      "steps",
      .list(
        of: .object([
          Property("step", .text), params, Property("internal", .flag, "Refused from outside."),
          .maybe("values", .map(of: .list(of: .any)), "The allowed values by param, if not all are allowed."),
        ]))),
    Property(
      "facts",
      .list(
        of: .object([
          Property("fact", .text), Property("type", .text), .maybe("by", .only("client"), "Its own client sets it too."),
          .maybe("values", .list(of: .any), "Left out: all of its type."),
        ]))),
    Property(
      "links",
      .list(
        of: .object([
          Property("path", .text), Property("hosts", names), Property("schemes", names), Property("query", names), Property("steps", names),
          Property("broadcast", .flag), Property("guarded", .flag, "It may be held."),
        ]))),
    Property("primitives", .words(Definition.Primitives.self)), Property("unhandled", .words(Definition.Unhandled.self)),
    Property("covered", .words(Definition.Covered.self)), Property("oauth", .flag),
  ]).about("The parts of an app's definition that a client needs.")
}
