// Describes the members of claims in scenario files.
extension MemberTable {
  static let claim = MemberTable(
    .init("name", .text, "The claim as a sentence, for reports.", isRequired: true),
    .init("always", .object(always), "Claim about every state: in each state in which `when` is true, `then` must be true as well."),
    .init(
      "reachable", .object(reachable),
      "Claim about paths: from every state in which `from` is true, the user can reach a state in which `to` is true."),
    alternatives: ["always", "reachable"])

  static let always = MemberTable(
    .init("when", .shared(.condition), "Condition that selects the states to check (default: all states)."),
    .init("then", .shared(.condition), "Condition that must be true in these states.", isRequired: true))

  static let reachable = MemberTable(
    .init(
      "from", .oneOf([.word(["any"]), .shared(.condition)]), "Condition that selects the start states, or `any` for all states.",
      isRequired: true
    ),
    .init("to", .shared(.condition), "Condition that is true in the states of which one must be reachable.", isRequired: true))
}
