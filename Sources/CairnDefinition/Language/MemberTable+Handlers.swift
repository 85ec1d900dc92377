import CairnCore

// What flows do.
extension MemberTable {
  static let branch = MemberTable(
    .init("when", .shared(.condition), "The first branch whose condition holds runs."),
    .init("unless", .shared(.condition), "The opposite of when."),
    .init(
      "do", .oneOf([.shared(.operation), .list(of: .shared(.operation))]), "One operation, or a list of them in order.",
      isRequired: true))

  static let adaptation = MemberTable(
    .init("when", .shared(.condition), "The first whose condition holds is taken."),
    .init("unless", .shared(.condition), "The opposite of when."),
    .init("to", .shared(.step), "The step that takes its place.", isRequired: true), .init("with", .shared(.arguments), "Its params."))

  static let step = MemberTable(
    .init("step", .text, "The step's name.", isRequired: true), .init("with", .shared(.arguments), "Its params."), .to)

  // MARK: Nodes

  /// What may stand beside the name of a screen that is to be made.
  static let beside = MemberTable(
    .init("with", .shared(.arguments), "Its params."),
    .init("listen", .shared(.listen), "Which of its steps count though it is not in front."),
    .init("load", .shared(.load), "Starts with it and belongs to it."),
    .init("after", .oneOrMore(.shared(.timer)), "Timers that belong to it."),
    .init("left", .shared(.step), "Sent when it is popped or dismissed."), .init("content", .any, "The content that it starts with."))

  static let node = MemberTable(
    [
      .init("screen", .text, "A screen's name."), .init("flow", .text, "A flow's name."),
      .init("start", .oneOrMore(.shared(.step)), "The flow's start step, or several."),
    ] + beside.members, alternatives: ["screen", "flow"])

  static let split = MemberTable(
    .init("master", .list(of: .shared(.node), atLeast: 1), "The stack on the left.", isRequired: true),
    .init("detail", .shared(.node), "The node on the right.", isRequired: true))

  static let show = MemberTable(
    [
      .init("flow", .text, "A child of the switch.", isRequired: true),
      .init("screen", .text, "A screen that is pushed on it, unless one of that name is on top."),
    ] + beside.members)

  static let selection = MemberTable(.init("flow", .text, "The tab's flow.", isRequired: true))

  static let listen = MemberTable(
    .init("hidden", .flag, "Also while it is covered."), .init("dismissed", .flag, "Also when it is gone, until its flow ends."))

  static let load = MemberTable(
    .init("value", .any, "The value itself."), .init("get", .text, "A URL: of a host in hosts, or beginning with a fact that has env."),
    .init("bearer", .word([FactDefinition.accessToken]), "The session's token goes along."),
    .init("delay", .duration, "Before the value is there, or before the request leaves."),
    .init("then", .shared(.step), "Sent when the value came, with $result."), .init("else", .shared(.step), "Sent when it did not."),
    .init("restart", .flag, "Replaces a load that runs."), .init("while", .word(["visible"]), "Given up when the node is covered."),
    alternatives: ["value", "get"])

  static let timer = MemberTable(
    .init("in", .duration, "Once, after this long."), .init("every", .duration, "Again and again, this long apart."),
    .init("step", .text, "The step that is sent.", isRequired: true), .init("with", .shared(.arguments), "Its params."), .to,
    .init("name", .text, "For cancel."), .init("while", .word(["visible"]), "Given up when the node is covered."),
    alternatives: ["in", "every"])

  // MARK: Conditions

  /// What a condition can be on.
  static let subjects = ["fact", "param", "content", "visible", "flow", "all", "any", "not"]
  /// Those that have a value to be tested.
  static let valueSubjects = ["fact", "param", "content"]
  /// The words of tests.
  static let tests = ["is", "equals", "not"]

  /// A condition, by what it is on.
  static func condition(on subject: String) -> MemberTable {
    let own: Shape =
      switch subject {
      case "visible": .oneOrMore(.text, atLeast: 1)
      case "all", "any": .list(of: .shared(.condition), atLeast: 1)
      case "not": .shared(.condition)
      default: .text
      }
    let first = Member(subject, own, aboutSubject[subject] ?? "", isRequired: true)
    if valueSubjects.contains(subject) {
      return MemberTable([first] + tests.map { Member($0, .any, aboutTest[$0] ?? "") })
    }
    return MemberTable([first] + (subject == "visible" ? [Member("with", .map(of: .any), "Its params are these.")] : []))
  }

  private static let aboutSubject = [
    "fact": "A fact's name; alone: it is true.", "param": "A param of the step; alone: it is true.",
    "content": "A path in the content of the screen that speaks, or status.", "visible": "The visible screen is this one, or one of these.",
    "flow": "A flow of this name is alive.", "all": "All of these hold.", "any": "One of these holds.", "not": "This does not hold.",
  ]
  private static let aboutTest = [
    "is": "Is equal; present and absent: has a value, has none.", "equals": "Is equal, whatever the word.", "not": "Is not equal.",
  ]
}
