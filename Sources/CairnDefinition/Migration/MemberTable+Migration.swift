// Describes the members of a migration document.
extension MemberTable {
  static let migration = MemberTable(
    .init("from", .text, "The path of the old definition, relative to this file."),
    .init("to", .text, "The path of the new definition, relative to this file."),
    .init(
      "rules", .word(["run", "none"]),
      "`run` evaluates all rules of the new definition once after the move; `none` (default) evaluates no rule."),
    .init("screens", lines(screenFate), "How open nodes are migrated, by the old name of their screen."),
    .init("flows", lines(flowFate), "How open nodes are migrated, by the old name of their flow."),
    .init("steps", lines(stepFate), "How posts, timers and calls are migrated, by the old name of their step."),
    .init("facts", lines(factFate), "How values of facts are migrated, by the old name of each fact."),
    .init("values", .shared(.arguments), "New values of facts, by the new name of each fact."))

  static let screenFate = MemberTable(kept.members + [drop] + left)

  static let flowFate = MemberTable(
    kept.members + [drop, .init("facts", .shared(.arguments), "New values of the flow's facts, by the new name of each fact.")] + left)

  static let stepFate = MemberTable(kept.members + [drop])

  static let factFate = MemberTable(.init("to", .text, "The new name.", isRequired: true))

  private static let to = Member("to", .text, "The new name (default: the old name).")
  private static let kept = MemberTable(to, .init("params", .shared(.arguments), "New values of params, by the new name of each param."))
  private static let drop = Member("drop", .oneOrMore(.text), "Old params whose values are discarded.")
  private static let left: [Member] = [
    .init("popTo", .text, "The new name of a screen: the nodes above the nearest node of this screen are removed."),
    .init("replace", .text, "The new screen or flow: a new node of it replaces the old one."),
    .init("with", .shared(.arguments), "The params of the new node."),
  ]

  private static func lines(_ fate: MemberTable) -> Shape { .orNull(.map(of: .oneOf([.word(["remove"]), .object(fate)]))) }
}
