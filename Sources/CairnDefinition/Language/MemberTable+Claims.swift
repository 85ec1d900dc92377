// The members of claims in scenario files.
extension MemberTable {
  static let claim = MemberTable(
    .init("name", .text, "The claim, as a sentence.", isRequired: true),
    .init("always", .object(always), "Wherever the one condition holds, the other one does."),
    .init("reachable", .object(reachable), "From the states of one kind there is a way to one of the other kind."),
    alternatives: ["always", "reachable"])

  static let always = MemberTable(
    .init("when", .shared(.condition), "Where it is to hold; everywhere if this is left out."),
    .init("then", .shared(.condition), "What holds there.", isRequired: true))

  static let reachable = MemberTable(
    .init("from", .oneOf([.word(["any"]), .shared(.condition)]), "From where; any: from everywhere.", isRequired: true),
    .init("to", .shared(.condition), "Where there is a way to.", isRequired: true))
}
