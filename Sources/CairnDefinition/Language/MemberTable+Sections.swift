import CairnCore

// The top level of a definition file and its sections.
extension MemberTable {
  static let file = MemberTable(
    .init("app", .pattern("^[a-z][a-z0-9-]*$"), "The app's name: lowercase letters, digits and -.", isRequired: true),
    .init("language", .whole(atLeast: 1), "The version of the language: 1.", isRequired: true),
    .init(
      "include", .oneOrMore(.text, atLeast: 1),
      "Files whose sections join this file's, as paths relative to it; * and ? stand for characters of a name."),
    .init("description", .any, "A description for readers; the service ignores it."),
    .init("root", .oneOf([.text, .object(.root)]), "The root flow, with its start steps if there are some.", isRequired: true),
    .init("ttl", .duration, "Time to live: a session ends after this long without a change (at least 1m)."),
    .init(
      "historyRetention", .duration,
      "How long entries of a session's history are kept (at least 1m; default: the service's setting, otherwise forever)."),
    .init("sets", .orNull(.map(of: .list(of: .any, atLeast: 1))), "Named lists of values, for the member in of a type.").joined(.map),
    .init("facts", .orNull(.map(of: .shared(.fact))), "The session's values that conditions and rules test.").joined(.map),
    .init("screens", .orNull(.map(of: .shared(.screen))), "Screens by name.").joined(.map),
    .init("steps", .shared(.steps), "Steps that have params, or that operators post, and that no emits declares.").joined(.map),
    .init("rules", .orNull(.list(of: .shared(.rule))), "Steps that are sent when a fact is written and a condition is true.").joined(.list),
    .init("flows", .orNull(.map(of: .shared(.flow))), "Flows by name.").joined(.map),
    .init("linkDefaults", .orNull(.object(.linkDefaults)), "Defaults for links, such as their hosts and schemes."),
    .init("links", .orNull(.list(of: .shared(.link))), "Deep links; the first link that matches a URL is used.").joined(.list),
    .init("notifications", .shared(.notifications), "How remote notifications are handled.").joined(.members(.notifications)),
    .init("oauth", .shared(.oauth), "The provider of the access token."),
    .init("allowHosts", .oneOrMore(.text), "Hosts that loads may call, with the port if it is not the scheme's default.").joined(.list),
    .init(
      "loadDefaults", .orNull(.object(.loadDefaults)), "Defaults for the timeout, retries, headers and 401 handling of loads over HTTP."),
    .init("compat", .object(.compat), "Settings and words for apps that follow another navigation system."),
    .init("meta", .any, "Any value; the service ignores it."),
    former: [
      .renamed("hosts", to: "allowHosts", .oneOrMore(.text)), .init("unhandled", .text, "write it in compat"),
      .init("covered", .text, "write it in compat"), .init("primitives", .text, "only operators may post push, present, set and remove"),
    ])

  static let compat = MemberTable(
    .init(
      "unhandled", .words(Definition.Unhandled.self),
      "Whether a step that a flow does not handle is sent to the parent flow or dropped."),
    .init("covered", .words(Definition.Covered.self), "Whether steps of covered screens are refused or accepted."),
    .init("emits", .word(["any"]), "any: a screen without emits may send every step of the app."),
    .init("words", .oneOrMore(.words(CompatWord.self), atLeast: 1), "The further words of the language that the app uses."))

  static let loadDefaults = MemberTable(
    .init(
      "unauthorized", .shared(.step), "Step that is sent to the root flow when a server rejects the access token with 401; once per token."),
    .init("timeout", .duration, "Time limit for all attempts together."),
    .init("retry", .shared(.retry), "Retries after a temporary failure."),
    .init("headers", .shared(.headers), "Additional request headers: values, or environment variables."))

  static let root = MemberTable(
    .init("flow", .text, "The root flow's name.", isRequired: true),
    .init("start", .oneOrMore(.shared(.step)), "The step, or steps, that the root flow starts with."))

  static let type = MemberTable(
    .init("type", .word(SharedShape.typeWords), "The type.", isRequired: true),
    .init("in", .oneOf([.text, .list(of: .any, atLeast: 1)]), "The allowed values: a list, or the name of a set."),
    .init("default", .any, "The value that is used if none is given."),
    .init("secret", .flag, "Whether a string param is secret: stored encrypted, and never shown. A load may send it."),
    former: [optional])

  private static let optional = Former("optional", .flag, "write the type as optional TYPE")

  /// The members of a type, and the additional members of a fact.
  static let fact = MemberTable(
    type.members.filter { $0.name != "secret" } + [
      .init("env", .environmentName, "The environment variable from which the fact gets its value."),
      .init("by", .word(["client"]), "client: the session's client may set the fact, when it creates the session and by the action facts."),
      .init("shown", .flag, "Whether clients see the fact's value, if it comes from the environment (default: false)."),
    ], former: type.former)

  static let screen = MemberTable(
    .init("params", .orNull(.shared(.params)), "The screen's params by name."),
    .init("emits", .shared(.emits), "The steps that clients may send from the screen; without this member, none."),
    .init("meta", .any, "Data that is passed to clients unchanged."),
    .init("description", .any, "A description for readers; the service ignores it."))

  static let rule = MemberTable(
    .init(
      "when", .shared(.condition),
      "Condition of the rule. It must test at least one fact; the rule is evaluated when such a fact is written.", isRequired: true),
    .init("send", .text, "The step that is sent.", isRequired: true), .init("with", .shared(.arguments), "The step's params."), .to,
    former: [.renamed("step", to: "send", .text)])

  /// The members of a node that a flow with the container screen may have for its screen.
  static let ofScreen = beside.members.filter { !["start", "then", "else"].contains($0.name) }

  static let flow = MemberTable(
    [
      .init("stack", .oneOf([.shared(.node), .constant([])]), "A stack, with its first node; [] for none."),
      .init("tabs", .list(of: .shared(.node)), "Tabs, in order."),
      .init(
        "switch", .list(of: .shared(.node), atLeast: 1),
        "A switch, with the flows that it can show; it begins with the first one, or with nothing if none stands before them."),
      .init("split", .oneOf([.shared(.split), .constant([])]), "A split, with its columns; [] for none."),
      .init("screen", .text, "The flow's only screen."),
      .init(
        "reselect", .shared(.step),
        "Effect of a tap on the selected tab: popToRoot, none, or a step that is sent to the flow (default: none)."),
      .init(
        "back", .words(TabsManner.Back.self), "Effect of a back gesture with nothing to pop or dismiss: select the first tab, or nothing."),
      .init(
        "collapse", .shared(.condition),
        "While this condition is true, the split is a stack. It must test at least one fact, and is evaluated when such a fact is written."),
      .init(
        "gives", .orNull(.shared(.params)),
        "The members of the flow's result, by name. The creator's step in then can read them as $result."),
      .init("emits", .shared(.emits), "Steps that clients may send from all screens of this flow, in addition to those of the screen."),
      .init("handle", .orNull(.map(of: .shared(.handler))), "The operations that run for each step, by the step's name."),
      .init(
        "adapt", .orNull(.map(of: .orNull(.list(of: .shared(.adaptation))))), "Steps that replace others, by the name of the replaced step."
      ),
      .init("meta", .any, "Data that is passed to clients unchanged."),
      .init("description", .any, "A description for readers; the service ignores it."),
    ] + ofScreen,
    alternatives: Node.Kind.ofFlows.map(\.rawValue),
    former: [
      .init("container", .text, "write the container as the member, like stack: home"),
      .init("root", .shared(.node), "write the container as the member, like stack: home"),
      .init("children", .list(of: .text), "list the flows in switch, the first one first"),
    ] + beside.former)

  // MARK: From outside

  /// The hosts and schemes of links.
  static let origins = MemberTable(
    .init("host", .oneOrMore(.text), "The host of https URLs, with its port if it is not 443, or several."),
    .init("scheme", .oneOrMore(.text), "A custom scheme of the app, or several; http: URLs of the hosts may also use http."),
    former: [.renamed("hosts", to: "host", .oneOrMore(.text)), .renamed("schemes", to: "scheme", .oneOrMore(.text))])

  /// The members for a link's condition, and for the time during which the link is held because the condition is false.
  private static let holding: [Member] = [
    .init(
      "requires", .oneOf([.word(["none"]), .shared(.condition)]),
      "Condition for following the link, which is held until it is true. none: the link is followed at once, even if linkDefaults has a condition."
    ),
    .init("holdFor", .duration, "Maximum time for which the link is held (default: 1d)."),
    .init(
      "else", .oneOf([.word(["none"]), .shared(.step)]),
      "Step that is sent when the link begins to be held, such as one that opens a login."),
  ]

  private static let hold = Former.renamed("hold", to: "holdFor", .duration)

  static let linkDefaults = MemberTable(
    origins.members + holding + [
      .init("to", .text, "The recipient of the steps of links that name none: root, all, or a flow's name."),
      .init(
        "holdAtMost", .whole(atLeast: 1),
        "Maximum number of links that a session holds (default: 1); a new link replaces the oldest one."),
    ], former: origins.former + [hold, .renamed("held", to: "holdAtMost", .whole(atLeast: 1))])

  static let link = MemberTable(
    origins.members + [
      .init(
        "path", .pattern("^/"),
        "Path of the URL; {name} captures a segment, {name?} an optional segment at the end, {name...} all remaining segments.",
        isRequired: true),
      .init("query", .oneOrMore(.text), "Names of query items that are captured, too."),
      .init(
        "send", .oneOf([.text, .list(of: .shared(.linkStep), atLeast: 1)]), "The step that the link sends, or several in order.",
        isRequired: true), .init("with", .shared(.arguments), "The step's params."), .to,
    ] + holding,
    former: origins.former + [
      hold, .renamed("step", to: "send", .text), .renamed("steps", to: "send", .list(of: .shared(.linkStep))),
      .init("broadcast", .shared(.linkStep), "write send: STEP with to: all"),
    ])

  static let linkStep = step

  static let notifications = MemberTable(
    .init(
      "link", .oneOrMore(.pattern("^/"), atLeast: 1),
      "JSON Pointers to the link in the payload; the first one that points to a string is used."),
    .init(
      "category", .oneOrMore(.pattern("^/"), atLeast: 1),
      "JSON Pointers to the message's category; the first one that points to a string is used."),
    .init(
      "id", .oneOrMore(.pattern("^(/.*|[!#$%&'*+.^_`|~0-9A-Za-z-]+)$"), atLeast: 1),
      "JSON Pointers to the message's id, or names of headers with it; the first one that exists is used. A message is accepted once."),
    .init("values", .orNull(.map(of: .oneOrMore(.pattern("^/"), atLeast: 1))), "Values read from the payload: names, with JSON Pointers.")
      .joined(.map),
    .init(
      "take", .orNull(.list(of: .shared(.taking))),
      "How messages without a link are handled; the first element that matches a message is used."
    ).joined(.list),
    .init("suppress", .orNull(.list(of: .shared(.suppression))), "Conditions under which notifications are not shown.").joined(.list))

  /// The ways in which a message can reach the app.
  private static let how = Member(
    "how", .oneOrMore(.oneOf([.word(NotificationDefinition.How.words.map(\.word)), .object(.button)]), atLeast: 1),
    "How the message reached the app: by a tap, while the app was in the foreground, silently, by a text reply, or by a button.")

  static let button = MemberTable(.init("action", .text, "The button's identifier.", isRequired: true))

  static let taking = MemberTable(
    [
      .init("category", .text, "The element matches only messages of this category."),
      .init("when", .shared(.condition), "The element matches only while this condition is true."), how,
      .init("link", .text, "A URL to open; {name} inserts a value."), .init("send", .text, "The step to send."),
      .init("with", .shared(.arguments), "The step's params; without this member, each param gets the value of the same name."), .to,
    ], alternatives: ["send", "link"], former: [.renamed("step", to: "send", .text)])

  static let suppression = MemberTable(
    .init("category", .text, "The element matches only messages of this category."), how,
    .init("when", .shared(.condition), "While this condition is true, matching messages are not shown.", isRequired: true))
}
