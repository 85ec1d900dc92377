import CairnCore

// The members of flows' handlers.
extension MemberTable {
  static let branch = MemberTable(
    .init("when", .shared(.condition), "The branch's condition; the first branch whose condition is true runs."),
    .init(
      "do", .oneOf([.shared(.operation), .list(of: .shared(.operation))]),
      "One operation, or a list of operations that run in order; [] does nothing.", isRequired: true),
    former: [unless])

  private static let unless = Former("unless", .shared(.condition), "write when: { not: CONDITION }")

  static let adaptation = MemberTable(
    .init("when", .shared(.condition), "The adaptation's condition; the first adaptation whose condition is true is used."),
    .init("to", .text, "The step that replaces the original one.", isRequired: true),
    .init("with", .shared(.arguments), "The params of the new step."), former: [unless])

  static let step = MemberTable(
    .init("step", .text, "The step's name.", isRequired: true), .init("with", .shared(.arguments), "The step's params."), .to)

  // MARK: Nodes

  /// The members that an operation may have together with the name of the screen or flow that it creates.
  static let beside = MemberTable(
    .init("with", .shared(.arguments), "The params of the screen or flow."),
    .init("start", .oneOrMore(.shared(.step)), "The step, or steps, that the flow starts with."),
    .init("listen", .shared(.listen), "Whether the screen may send steps while it is covered or after it was removed."),
    .init("load", .shared(.load), "Load that starts when the node is created, and is cancelled when the node is removed."),
    .init("timer", .oneOrMore(.shared(.timer)), "Timers that start when the node is created, and are cancelled when the node is removed."),
    .init("removed", .shared(.step), "Step that is sent when the node is popped or dismissed."),
    .init(
      "guard", .oneOf([.constant(true), .shared(.step)]),
      "Step that is sent instead of a gesture that would dismiss the node; true: gestures cannot dismiss it."),
    .init("then", .shared(.step), "Step that is sent when the flow returns its result; its params can read $result."),
    .init("else", .shared(.step), "Step that is sent when the flow is removed without a result."),
    .init("content", .any, "The node's initial content."),
    former: [
      .renamed("after", to: "timer", .oneOrMore(.shared(.timer))), .renamed("left", to: "removed", .shared(.step)),
      .renamed("leave", to: "guard", .shared(.step), "write guard, or guard: true in place of leave: none"),
    ])

  static let node = MemberTable(
    [.init("screen", .text, "The name of a screen."), .init("flow", .text, "The name of a flow.")] + beside.members,
    alternatives: ["screen", "flow"], former: beside.former)

  static let split = MemberTable(
    .init("master", .oneOrMore(.shared(.node), atLeast: 1), "The nodes of the stack in the left column.", isRequired: true),
    .init("detail", .shared(.node), "The node in the right column.", isRequired: true))

  static let show = MemberTable(
    [
      .init("flow", .text, "The child of the switch to show.", isRequired: true),
      .init("screen", .text, "A screen that is pushed onto the child's stack, unless a screen of that name is on top."),
    ] + beside.members)

  static let place = MemberTable(
    .init("screen", .text, "The name of a screen."), .init("flow", .text, "The name of a flow."),
    .init("with", .map(of: .any), "The params that the node must have; other params are not compared."), alternatives: ["screen", "flow"])

  static let listen = MemberTable(
    .init("hidden", .flag, "Whether the screen may send steps while it is covered."),
    .init("dismissed", .flag, "Whether the screen may send steps after it was removed, until its flow ends."))

  static let load = MemberTable(
    .init("value", .any, "A literal value that is loaded without a request."),
    .init("get", .text, "URL of a GET request, with a host that allowHosts lists. It may begin with a fact that has env instead."),
    .init("post", .text, "URL of a POST request, which is sent with an Idempotency-Key header."),
    .init("put", .text, "URL of a PUT request."),
    .init("delete", .text, "URL of a DELETE request."), .init("body", .any, "JSON body of a POST or PUT request."),
    .init("headers", .shared(.headers), "Additional request headers: values, or environment variables."),
    .init("bearer", .word([FactDefinition.accessToken]), "Sends the session's access token as a bearer token."),
    .init("delay", .duration, "Delay before the value is available, or before the request is sent."),
    .init(
      "timeout", .duration, "Time limit for all attempts together. The default is 10s, and begins again after a restart of the service."
    ),
    .init("retry", .shared(.retry), "Retries after a temporary failure."),
    .init("every", .duration, "Polls at this interval."),
    .init("until", .shared(.condition), "Polling (every) ends with the first result for which this condition is true."),
    .init("then", .shared(.step), "Step that is sent when the load succeeds; its params can read $result."),
    .init("else", .shared(.step), "Step that is sent when the load fails; its params can read $error."),
    .init("restart", .flag, "Whether the load replaces a running load of the node; otherwise it has no effect then."),
    .init("while", .word(["visible"]), "visible: the load is cancelled when the node is covered."),
    alternatives: ["value"] + HTTPMethod.allCases.map(\.rawValue))

  static let retry = MemberTable(
    .init("count", .whole(atLeast: 1), "Number of retries; at most \(Retry.limit).", isRequired: true),
    .init("backoff", .duration, "Delay before the first retry, doubled before each further one (default: 1s)."))

  static let header = MemberTable(
    .init("env", .environmentName, "The environment variable that contains the header's value.", isRequired: true))

  static let timer = MemberTable(
    .init("after", .duration, "Delay after which the step is sent once."),
    .init("every", .duration, "Interval at which the step is sent repeatedly."),
    .init("send", .text, "The step that is sent.", isRequired: true), .init("with", .shared(.arguments), "The step's params."), .to,
    .init("name", .text, "The timer's name, by which cancel finds it."),
    .init("while", .word(["visible"]), "visible: the timer is cancelled when the node is covered."),
    alternatives: ["after", "every"], former: [.renamed("in", to: "after", .duration), .renamed("step", to: "send", .text)])

  // MARK: Conditions

  /// The possible subjects of a condition.
  static let subjects = ["fact", "param", "content", "result", "visible", "screen", "flow", "all", "any", "not"]
  /// The subjects of conditions that test a value.
  static let valueSubjects = ["fact", "param", "content", "result"]
  /// The words of tests.
  static let tests = ["is", "not", "in", "over", "under"]
  /// The subjects that name screens or flows.
  static let nodeSubjects = ["visible", "screen", "flow"]

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
      let of = subject == "content" ? [Member("of", .shared(.place), "The screen or flow; the nearest one is used.")] : []
      return MemberTable(
        [first] + tests.map { Member($0, shape(of: $0), aboutTest[$0] ?? "") } + of,
        former: [Former("equals", .any, "write is, or in: [present] for the text present")])
    }
    return MemberTable(
      [first]
        + (nodeSubjects.contains(subject)
          ? [Member("with", .map(of: .any), "The params that the \(subject == "flow" ? subject : "screen") must have.")] : []))
  }

  private static func shape(of test: String) -> Shape {
    switch test {
    case "in": .oneOf([.text, .list(of: .any, atLeast: 1)])
    case "over", "under": .oneOf([.number, .duration, .pattern(#"^\$"#)])
    default: .any
    }
  }

  private static let aboutSubject = [
    "fact": "The name of the fact to test. Without a test such as is or in, the fact must be true.",
    "param": "The name of the step's param to test. Without a test such as is or in, the param must be true.",
    "content": "The path of the value to test in the content of the sending screen, or status for the state of its load.",
    "result": "The path of the value to test in the loaded value; allowed only in until.",
    "visible": "The visible screen has this name, or one of these names.",
    "screen": "The tree contains a screen of this name, or of one of these names, visible or not.",
    "flow": "The tree contains a flow of this name.", "all": "All of these conditions are true.",
    "any": "At least one of these conditions is true.", "not": "This condition is false.",
  ]
  private static let aboutTest = [
    "is": "The value is equal to this one; present: it has a value; absent: it has none.",
    "not": "The value is not equal to this one.",
    "in": "The value is one of these values, or of the set of this name.", "over": "The value is greater than this number or duration.",
    "under": "The value is less than this number or duration.",
  ]
}
