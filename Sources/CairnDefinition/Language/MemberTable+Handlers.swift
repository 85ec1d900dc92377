import CairnCore

// Describes the members of flows' handlers.
extension MemberTable {
  static let branch = MemberTable(
    .init(
      "when", .shared(.condition),
      "Condition of the branch. The first branch of the handler whose condition is true runs; a branch without `when` always runs."),
    .init(
      "do", .oneOf([.shared(.operation), .list(of: .shared(.operation))]),
      "One operation, or a list of operations that run in order; `[]` handles the step and does nothing.", isRequired: true),
    former: [unless])

  private static let unless = Former("unless", .shared(.condition), "write `when: { not: CONDITION }`")

  static let adaptation = MemberTable(
    .init(
      "when", .shared(.condition),
      "Condition of the replacement. The first replacement whose condition is true is used; a replacement without `when` is always used."),
    .init("to", .text, "Name of the step that replaces the original one.", isRequired: true),
    .init(
      "with", .shared(.arguments),
      "Values of the new step's params; without this member, each param gets the original step's param of the same name."), former: [unless]
  )

  static let step = MemberTable(
    .init("step", .text, "Name of the step to send.", isRequired: true),
    .init("with", .shared(.arguments), "Values of the step's params; those that are optional or have a default may be omitted."), .to)

  // MARK: Nodes

  /// The members that an operation may have in addition to the name of the created screen or flow.
  static let beside = MemberTable(
    .init("with", .shared(.arguments), "Values of the params of the screen or flow that is created."),
    .init("facts", .shared(.arguments), "Values with which facts of a new flow begin, instead of their defaults; only for a flow."),
    .init("start", .oneOrMore(.shared(.step)), "Step, or list of steps, that a new flow receives first; only for a flow."),
    .init(
      "listen", .shared(.listen),
      "Situations in which the screen may send steps although it is not visible: while it is covered, or after it was removed."),
    .init(
      "load", .shared(.load), "Load that starts when the node is created and fills its content; it is cancelled when the node is removed."),
    .init(
      "timer", .oneOrMore(.shared(.timer)),
      "Timer, or list of timers, that start when the node is created; they are cancelled when the node is removed."),
    .init(
      "removed", .shared(.step),
      "Step that is sent after the node was popped, dismissed, or removed by `remove`. Its params can read `$screen` and `$content` of the node."
    ),
    .init(
      "seen", .shared(.step),
      "Step that is sent each time the user sees the node: when it comes to the front, and when it is visible again after another node covered it. Alerts do not count as covering. Its params can read `$seen.first`."
    ),
    .init("unseen", .shared(.step), "Step that is sent when the user no longer sees the node, although it still exists."),
    .init(
      "guard", .shared(.asking),
      "Step that is sent instead of a gesture, a link or a tapped notification that would remove the node. Its handler asks the user, and the operation `proceed` then performs the action. With `true`, gestures are refused, and links and notifications are not stopped. Operations ignore the guard."
    ),
    .init(
      "then", .shared(.step), "Step that is sent when the new flow ends by `finish`; its params can read the flow's result as `$result`."),
    .init(
      "else", .shared(.step),
      "Step that is sent when the new flow is removed or ends without `finish`, for example because the user dismisses it. Next to `requires`: step that is sent when the tab cannot be selected."
    ),
    .init("content", .any, "Initial content of the node: data that the client draws, and that conditions and values can read."),
    former: [
      .renamed("after", to: "timer", .oneOrMore(.shared(.timer))), .renamed("left", to: "removed", .shared(.step)),
      .renamed("leave", to: "guard", .shared(.step), "write `guard`, or `guard: true` instead of `leave: none`"),
    ])

  static let node = MemberTable(
    [
      .init("screen", .text, "Screen to create, by its name."),
      .init("flow", .text, "Flow to create, by its name. Without `flow` or `screen`, a name that both have means the screen."),
      .init(
        "requires", .shared(.condition),
        "Only for a tab: condition under which the tab can be selected. While it is false, selecting the tab sends the step in `else` to the flow with the tabs, and the selection waits until the condition is true."
      ),
    ] + beside.members,
    alternatives: ["screen", "flow"], former: beside.former)

  /// The members of an overlay's screen.
  static let ofOverlay = beside.members.filter { !["facts", "start", "then", "else", "guard", "listen"].contains($0.name) }

  static let split = MemberTable(
    .init(
      "master", .oneOrMore(.shared(.node), atLeast: 1),
      "Node in the left column, or a list of nodes from the bottom of its stack to the top.", isRequired: true),
    .init("detail", .shared(.node), "Node in the right column. Without it, the operation `set` replaces only the left column."))

  static let show = MemberTable(
    [
      .init("flow", .text, "Flow to show: one of those that the switch lists.", isRequired: true),
      .init("screen", .text, "Screen that is pushed onto the stack of the shown flow, unless a screen of that name is on top."),
    ] + beside.members)

  static let place = MemberTable(
    .init("screen", .text, "Screen of the place, by its name."),
    .init("flow", .text, "Flow of the place, by its name. Without `flow` or `screen`, a name that both have means the screen."),
    .init("with", .map(of: .any), "Params that the node must have, with their values; other params of the node are ignored."),
    alternatives: ["screen", "flow"])

  static let asking = MemberTable(
    .init(
      "when", .shared(.condition),
      "Condition under which the guard applies. It can test facts and the content of the guarded node (default: always)."),
    .init("ask", .shared(.step), "Step that is sent instead of the gesture; without it, the gesture is refused."),
    .init(
      "tabs", .flag,
      "Whether the guard also applies before another tab is selected, which would hide the node (default: false); needs `ask`."))

  static let listen = MemberTable(
    .init("hidden", .flag, "Whether the screen may send steps while another screen covers it (default: false)."),
    .init("dismissed", .flag, "Whether the screen may send steps after it was removed, until its flow ends (default: false)."))

  static let load = MemberTable(
    .init("value", .any, "Value that is written into the content without a request."),
    .init(
      "get", .text,
      "URL of a GET request. It begins with a host that `allowHosts` lists, or with a fact that has `env`; `{param}` inserts an encoded value."
    ),
    .init("post", .text, "URL of a POST request. All attempts of a load have the same Idempotency-Key header."),
    .init("put", .text, "URL of a PUT request."),
    .init("delete", .text, "URL of a DELETE request."),
    .init("body", .any, "Body of a POST or PUT request, sent as JSON; missing values are omitted."),
    .init("headers", .shared(.headers), "Additional headers of the request, by name: values, or environment variables of the service."),
    .init(
      "bearer", .word([FactDefinition.accessToken]),
      "`accessToken`: the request has the session's access token as a bearer token; without a valid token the load fails."),
    .init("delay", .duration, "Delay before the value is available, or before the request is sent (default: none)."),
    .init(
      "timeout", .duration, "Time limit for all attempts together (default: 10s). The time begins again after a restart of the service."
    ),
    .init(
      "retry", .shared(.retry),
      "Number of retries after a temporary failure: a broken connection, or status 408, 429, 502, 503 or 504 (default: none)."),
    .init("every", .duration, "Interval at which a GET request is repeated, at least 1s; each changed result is written to the content."),
    .init(
      "until", .shared(.condition),
      "Condition that ends the repetition by `every`, with the first result for which it is true; the step in `then` is sent only for this result. Without `until`, it is sent for each changed result."
    ),
    .init(
      "secret", .oneOrMore(.text),
      "Member, or list of members, of the response whose texts are stored like secret params, such as `code` or `order.code`."),
    .init("then", .shared(.step), "Step that is sent when the load succeeds; its params can read the loaded value as `$result`."),
    .init("else", .shared(.step), "Step that is sent when the load fails; its params can read `$error.status` and `$error.reason`."),
    .init(
      "restart", .flag,
      "Whether the load replaces a running load of the same node. By default (false) it has no effect while one is running."),
    .init(
      "while", .word(["visible"]),
      "`visible`: the load stops when its node is covered, and restarts when the node is visible again. By default it continues."),
    alternatives: ["value"] + HTTPMethod.allCases.map(\.rawValue))

  static let submission = MemberTable(
    .init(
      "post", .text,
      "URL of the POST request. It begins with a host that `allowHosts` lists, or with a fact that has `env`; `{param}` inserts an encoded value.",
      isRequired: true),
    .init(
      "key", .any,
      "Key of the message, such as the id of an order: a text or integer of at most 200 bytes. A further call with the key does not send a second message, but receives the result of the first one, unless that one has failed.",
      isRequired: true),
    .init("body", .any, "Body of the request, sent as JSON; missing values are omitted."),
    .init("headers", .shared(.headers), "Additional headers of the request, by name: values, or environment variables of the service."),
    .init(
      "bearer", .word([FactDefinition.accessToken]),
      "`accessToken`: the request has the access token that the session has at the time of the call, even after a logout."),
    .init(
      "timeout", .duration, "Time limit for all attempts together (default: 10s). The time begins again after a restart of the service."),
    .init(
      "retry", .shared(.retry),
      "Number of retries after a temporary failure: a broken connection, or status 408, 429, 502, 503 or 504 (default: none)."),
    .init(
      "then", .shared(.step),
      "Step that is sent when the response has arrived; its params can read the response as `$result`. The root flow must handle it."),
    .init(
      "else", .shared(.step),
      "Step that is sent when the message fails; its params can read `$error.status` and `$error.reason`. The root flow must handle it."))

  static let retry = MemberTable(
    .init("count", .whole(atLeast: 1), "Number of retries, from 1 to \(Retry.limit).", isRequired: true),
    .init("backoff", .duration, "Delay before the first retry (default: 1s); it doubles before each further retry."))

  static let header = MemberTable(
    .init("env", .environmentName, "Name of the service's environment variable that contains the header's value.", isRequired: true))

  static let timer = MemberTable(
    .init(
      "after", .oneOf([.duration, .number, .reference]),
      "Delay after which the step is sent once, at least 100ms; or, with `unit`, a number of units, such as `$minutes`."),
    .init(
      "unit", .word(["s", "m", "h", "d"]),
      "Unit of the number in `after`: seconds, minutes, hours or days. The number is evaluated when the timer starts."),
    .init(
      "at", .oneOf([.text, .number]),
      "Moment at which the step is sent once, such as `$fact.departsAt`: an ISO 8601 text with a time zone, or milliseconds since 1970. It is evaluated when the timer starts. If the moment has passed, the step is sent at once; if it is missing, no timer starts."
    ),
    .init("before", .duration, "Duration by which the step is sent before the moment in `at`."),
    .init(
      "daily", .text,
      "Time of day at which the step is sent each day, such as `\"06:30\"`, by the clock of `zone`. If the clock skips this time on a day, the step is sent at the moment at which the clock would show it without the change; if the time exists twice, the first one counts. Days that pass while the service is down count once together."
    ),
    .init(
      "zone", .text,
      "Name of the time zone of `daily`, such as `Europe/Berlin`, evaluated when the timer starts. With an unknown zone, no timer starts."),
    .init("every", .duration, "Interval at which the step is sent repeatedly, at least 100ms."),
    .init("send", .text, "Name of the step to send.", isRequired: true),
    .init("with", .shared(.arguments), "Values of the step's params."), .to,
    .init("name", .text, "Name of the timer, for the operation `cancel`; needed only for a timer that is cancelled."),
    .init(
      "while", .word(["visible"]),
      "`visible`: the timer stops when its node is covered, and restarts when the node is visible again. By default it continues."),
    .init(
      "covered", .word(Timer.Covered.allCases.map(\.rawValue)),
      "What happens if the timer is due while its page is covered: `wait` (default) sends the step when the page is uncovered, `fire` sends it at once, `drop` does not send it."
    ),
    .init(
      "start", .word(["seen"]),
      "`seen`: the timer starts when the user sees its page for the first time (default: when the timer is created)."),
    .init("restart", .flag, "Whether the timer replaces the running timer that has the same node and name (default: false)."),
    alternatives: ["after", "every", "at", "daily"], former: [.renamed("in", to: "after", .duration), .renamed("step", to: "send", .text)])

  static let idle = MemberTable(
    .init("for", .duration, "Time without an action of a client, after which the step is sent, at least 1s.", isRequired: true),
    .init("send", .text, "Name of the step to send to the flow.", isRequired: true))

  // MARK: Conditions

  /// The possible subjects of a condition.
  static let subjects = ["fact", "param", "content", "result", "visible", "screen", "flow", "passed", "between", "all", "any", "not"]
  /// The subjects of conditions that test a value.
  static let valueSubjects = ["fact", "param", "content", "result"]
  /// The names of the tests that a condition can have.
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
      case "passed": .oneOf([.text, .number])
      case "between": .list(of: .text, atLeast: 2)
      default: .text
      }
    let first = Member(subject, own, aboutSubject[subject] ?? "", isRequired: true)
    if valueSubjects.contains(subject) {
      let of =
        subject == "content"
        ? [
          Member(
            "of", .shared(.place), "Screen or flow whose content is tested: the nearest one at this place (default: the sending screen).")
        ] : []
      return MemberTable(
        [first] + tests.map { Member($0, shape(of: $0), aboutTest[$0] ?? "") } + of,
        former: [Former("equals", .any, "write `is`, or `in: [present]` for the text `present`")])
    }
    if subject == "passed" {
      let before = Member("before", .duration, "Duration by which the condition becomes true before the moment (default: none).")
      return MemberTable([first, before])
    }
    if subject == "between" {
      let zone = Member(
        "zone", .text, "Name of the time zone, such as `Europe/Berlin`. With an unknown zone the condition is false.", isRequired: true)
      return MemberTable([first, zone])
    }
    return MemberTable(
      [first]
        + (nodeSubjects.contains(subject)
          ? [
            Member(
              "with", .map(of: .any),
              "Params that the \(subject == "flow" ? subject : "screen") must have, with their values; its other params are ignored.")
          ] : []))
  }

  private static func shape(of test: String) -> Shape {
    switch test {
    case "in": .oneOf([.text, .list(of: .any, atLeast: 1)])
    case "over", "under": .oneOf([.number, .duration, .reference])
    default: .any
    }
  }

  private static let aboutSubject = [
    "fact": "Fact to test, by its name. Without `is`, `not`, `in`, `over` or `under`, the fact must be true.",
    "param": "Param of the step to test, by its name. Without `is`, `not`, `in`, `over` or `under`, the param must be true.",
    "content":
      "Path of the value to test in a node's content, such as `a.b`. The path `status` is the state of the load: `idle`, `loading`, `loaded` or `failed`.",
    "result": "Path of the value to test in the loaded value, such as `a.b`; only in `until` of a load.",
    "visible": "Name of a screen, or a list of names: true if the visible screen has this name, or one of them.",
    "screen": "Name of a screen, or a list of names: true if such a screen exists, visible or not.",
    "flow": "Name of a flow: true if such a flow exists and has not ended.",
    "passed":
      "Moment, such as `$fact.opensAt`: true from then on. It is an ISO 8601 text with a time zone, or milliseconds since 1970; false for another value.",
    "between":
      "Two times of day, such as `[\"22:00\", \"06:00\"]`: true from the first time until the second one, by the clock of `zone`; over midnight if the second one is earlier.",
    "all": "List of conditions: true if all of them are true.",
    "any": "List of conditions: true if at least one of them is true.", "not": "Condition that is negated: true if the condition is false.",
  ]
  private static let aboutTest = [
    "is": "True if the tested value equals this one. `present`: true if there is a value; `absent`: true if there is none.",
    "not": "True if the tested value differs from this one or is missing.",
    "in": "True if the tested value is in this list, or in the set of this name; false if it is missing.",
    "over": "True if the tested number is greater than this number, or than the milliseconds of this duration.",
    "under": "True if the tested number is less than this number, or than the milliseconds of this duration.",
  ]
}
