// The members of claims in scenario files.
extension MemberTable {
  static let claim = MemberTable(
    .init("name", .text, "The claim, as a sentence.", isRequired: true),
    .init("always", .object(always), "Every state in which when is true must also satisfy then."),
    .init("reachable", .object(reachable), "From every state that satisfies from, a state that satisfies to must be reachable."),
    alternatives: ["always", "reachable"])

  static let always = MemberTable(
    .init("when", .shared(.condition), "The condition of the states to check (default: all states)."),
    .init("then", .shared(.condition), "The condition that must be true in these states.", isRequired: true))

  static let reachable = MemberTable(
    .init(
      "from", .oneOf([.word(["any"]), .shared(.condition)]), "The condition of the states to start from, or any for all states.",
      isRequired: true
    ),
    .init("to", .shared(.condition), "The condition of the states that must be reachable.", isRequired: true))
}
