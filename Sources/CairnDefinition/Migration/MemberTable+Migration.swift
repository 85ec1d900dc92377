// The members of a migration document.
extension MemberTable {
  static let migration = MemberTable(
    .init("from", .text, "The path of the old definition, relative to this file."),
    .init("to", .text, "The path of the new definition, relative to this file."),
    .init("rules", .word(["run", "none"]), "Whether all rules of the new definition are evaluated once; none by default."),
    .init("screens", lines(screenFate), "What becomes of open nodes, by the old name of their screen."),
    .init("flows", lines(flowFate), "What becomes of open nodes, by the old name of their flow."),
    .init("steps", lines(stepFate), "What becomes of posts, timers and calls, by the old name of their step."),
    .init("facts", lines(factFate), "What becomes of values, by the old name of their fact."),
    .init("values", .shared(.arguments), "Values of facts, by the new name."))

  static let screenFate = MemberTable(kept.members + [drop] + left)

  static let flowFate = MemberTable([to] + left)

  static let stepFate = MemberTable(kept.members + [drop])

  static let factFate = MemberTable(.init("to", .text, "The new name.", isRequired: true))

  private static let to = Member("to", .text, "The new name; the same if this is left out.")
  private static let kept = MemberTable(to, .init("params", .shared(.arguments), "Values of params, by the new name."))
  private static let drop = Member("drop", .oneOrMore(.text), "Old params whose value is given up.")
  private static let left: [Member] = [
    .init("popTo", .text, "The new name of a screen: everything above its nearest node is removed."),
    .init("replace", .text, "The new screen or flow whose new node takes the place."),
    .init("with", .shared(.arguments), "The params of the new node."),
  ]

  private static func lines(_ fate: MemberTable) -> Shape { .orNull(.map(of: .oneOf([.word(["remove"]), .object(fate)]))) }
}
