import CairnCore

// The members of flows' handlers.
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

  /// The members that an operation may have together with the name of the screen that it creates.
  static let beside = MemberTable(
    .init("with", .shared(.arguments), "Its params."),
    .init("listen", .shared(.listen), "Which of its steps count though it is not in front."),
    .init("load", .shared(.load), "Starts with it and belongs to it."),
    .init("after", .oneOrMore(.shared(.timer)), "Timers that belong to it."),
    .init("left", .shared(.step), "Sent when it is popped or dismissed."),
    .init("leave", .shared(.step), "Sent instead of a gesture that would dismiss it; none: it cannot be dismissed."),
    .init("then", .shared(.step), "Of a flow with gives: sent when it gives its result, with $result."),
    .init("else", .shared(.step), "Of a flow with gives: sent when it goes without."),
    .init("content", .any, "The content that it starts with."))

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

  static let flowInFront = MemberTable(.init("flow", .text, "The flow's name.", isRequired: true))

  static let listen = MemberTable(
    .init("hidden", .flag, "Also while it is covered."), .init("dismissed", .flag, "Also when it is gone, until its flow ends."))

  static let load = MemberTable(
    .init("value", .any, "The value itself."), .init("get", .text, "A URL: of a host in hosts, or beginning with a fact that has env."),
    .init("post", .text, "A URL that body is sent to; with an Idempotency-Key."), .init("put", .text, "A URL that body is put at."),
    .init("delete", .text, "A URL that is deleted."), .init("body", .any, "What post and put send, as JSON."),
    .init("headers", .shared(.headers), "Further headers: values, or environment variables."),
    .init("bearer", .word([FactDefinition.accessToken]), "The session's token goes along."),
    .init("delay", .duration, "Before the value is there, or before the request leaves."),
    .init("timeout", .duration, "For all attempts together; 10s for each run if nothing is said."),
    .init("retry", .shared(.retry), "Further attempts, where it failed in a way that may pass."),
    .init("every", .duration, "Asks again and again, this long apart."),
    .init("until", .shared(.condition), "With every: it ends with the first result for which this holds."),
    .init("then", .shared(.step), "Sent when the value came, with $result."),
    .init("else", .shared(.step), "Sent when it did not, with $error."),
    .init("restart", .flag, "Replaces a load that runs."), .init("while", .word(["visible"]), "Given up when the node is covered."),
    alternatives: ["value"] + HTTPMethod.allCases.map(\.rawValue))

  static let retry = MemberTable(
    .init("count", .whole(atLeast: 1), "Attempts after the first one; at most \(Retry.limit).", isRequired: true),
    .init("backoff", .duration, "Before the second attempt; doubled before each further one. 1s if nothing is said."))

  static let header = MemberTable(.init("env", .environmentName, "The variable that holds its value.", isRequired: true))

  static let timer = MemberTable(
    .init("in", .duration, "Once, after this long."), .init("every", .duration, "Again and again, this long apart."),
    .init("step", .text, "The step that is sent.", isRequired: true), .init("with", .shared(.arguments), "Its params."), .to,
    .init("name", .text, "For cancel."), .init("while", .word(["visible"]), "Given up when the node is covered."),
    alternatives: ["in", "every"])

  // MARK: Conditions

  /// The possible subjects of a condition.
  static let subjects = ["fact", "param", "content", "result", "visible", "screen", "flow", "all", "any", "not"]
  /// The subjects of conditions that test a value.
  static let valueSubjects = ["fact", "param", "content", "result"]
  /// The words of tests.
  static let tests = ["is", "equals", "not", "in", "over", "under"]
  /// The subjects that name screens.
  static let screenSubjects = ["visible", "screen"]

  /// The members of a condition with this subject.
  static func condition(on subject: String) -> MemberTable {
    let own: Shape =
      switch subject {
      case "visible", "screen": .oneOrMore(.text, atLeast: 1)
      case "all", "any": .list(of: .shared(.condition), atLeast: 1)
      case "not": .shared(.condition)
      default: .text
      }
    let first = Member(subject, own, aboutSubject[subject] ?? "", isRequired: true)
    if valueSubjects.contains(subject) {
      let of = subject == "content" ? [Member("of", .text, "Of the nearest node of this screen or flow.")] : []
      return MemberTable([first] + tests.map { Member($0, shape(of: $0), aboutTest[$0] ?? "") } + of)
    }
    return MemberTable([first] + (screenSubjects.contains(subject) ? [Member("with", .map(of: .any), "Its params are these.")] : []))
  }

  private static func shape(of test: String) -> Shape {
    switch test {
    case "in": .oneOf([.text, .list(of: .any, atLeast: 1)])
    case "over", "under": .oneOf([.number, .duration, .pattern(#"^\$"#)])
    default: .any
    }
  }

  private static let aboutSubject = [
    "fact": "A fact's name; alone: it is true.", "param": "A param of the step; alone: it is true.",
    "content": "A path in the content of the screen that speaks, or status.",
    "result": "A path in the loaded value: only in until.", "visible": "The visible screen is this one, or one of these.",
    "screen": "This screen, or one of these, is there, seen or not.", "flow": "A flow of this name is alive.", "all": "All of these hold.",
    "any": "One of these holds.", "not": "This does not hold.",
  ]
  private static let aboutTest = [
    "is": "Is equal; present and absent: has a value, has none.", "equals": "Is equal, whatever the word.", "not": "Is not equal.",
    "in": "Is one of these values, or of a set.", "over": "Is a number, or a duration, that is greater.",
    "under": "Is a number, or a duration, that is less.",
  ]
}
