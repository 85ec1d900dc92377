import CairnCore

// The top level of a definition file and its sections.
extension MemberTable {
  static let file = MemberTable(
    .init("app", .pattern("^[a-z][a-z0-9-]*$"), "The app's name: small letters, digits and -.", isRequired: true),
    .init("description", .any, "For people; not looked at."),
    .init("root", .object(.root), "The root flow and its start steps.", isRequired: true),
    .init(
      "unhandled", .words(Definition.Unhandled.self),
      "What becomes of a step that its flow does not list: it goes to the parent flow, or it is dropped."),
    .init("covered", .words(Definition.Covered.self), "Whether a step of a covered screen is refused or counts."),
    .init("primitives", .words(Definition.Primitives.self), "Whether clients may push, present, set and remove too."),
    .init("ttl", .duration, "When a session ends that nothing has changed for so long; at least a minute."),
    .init("historyRetention", .duration, "How long entries of a session's history are kept; at least a minute."),
    .init("sets", .orNull(.map(of: .list(of: .any, atLeast: 1))), "Lists of values by name, for in of a type."),
    .init("facts", .orNull(.map(of: .shared(.fact))), "Values of the session that conditions look at."),
    .init("screens", .orNull(.map(of: .shared(.screen))), "Screens by name."),
    .init("steps", .orNull(.map(of: .shared(.declaredStep))), "Steps by name."),
    .init("rules", .orNull(.list(of: .shared(.rule))), "Steps that facts send."),
    .init("flows", .orNull(.map(of: .shared(.flow))), "Flows by name."),
    .init("linkDefaults", .orNull(.object(.linkDefaults)), "Hosts and schemes of all links that name none."),
    .init("links", .orNull(.list(of: .shared(.link))), "Deep links; the first that takes a URL wins."),
    .init("notifications", .shared(.notifications), "What remote notifications do."),
    .init("oauth", .shared(.oauth), "The provider of the access token."),
    .init("hosts", .oneOrMore(.text), "Hosts that a load may call, with a port where it is not the scheme's own."),
    .init("loadDefaults", .orNull(.object(.loadDefaults)), "What loads over HTTP do that say nothing else."),
    .init("meta", .any, "Not looked at."))

  static let loadDefaults = MemberTable(
    .init("unauthorized", .shared(.step), "Sent to the root flow when the token is answered with 401, once for each token."),
    .init("timeout", .duration, "For all attempts together."), .init("retry", .shared(.retry), "Further attempts."),
    .init("headers", .shared(.headers), "Further headers: values, or environment variables."))

  static let root = MemberTable(
    .init("flow", .text, "The root flow's name.", isRequired: true),
    .init("start", .oneOrMore(.shared(.step)), "Its start step, or several."))

  static let type = MemberTable(
    .init("type", .word(ParameterDefinition.Kind.allCases.map(\.rawValue).flatMap { [$0, "\($0)?"] }), "The type.", isRequired: true),
    .init("optional", .flag, "It may be left out."),
    .init("in", .oneOf([.text, .list(of: .any, atLeast: 1)]), "The only values: a list, or the name of a set."),
    .init("default", .any, "Taken when it is not given."),
    .init("secret", .flag, "Of a param that is a string: kept encrypted, and shown nowhere. A load may send it."))

  /// The members of a type, and the additional members of a fact.
  static let fact = MemberTable(
    type.members.filter { $0.name != "secret" } + [
      .init("env", .environmentName, "The environment variable that gives its value."),
      .init("by", .word(["client"]), "The session's own client may set it, at creation and by the action facts."),
      .init("shown", .flag, "Clients see a value that comes from the environment too."),
    ])

  static let screen = MemberTable(
    .init("params", .orNull(.shared(.params)), "Its params by name."),
    .init("emits", .list(of: .text), "The steps that it may send; without it any, with [] none."),
    .init("meta", .any, "Passed to clients untouched."), .init("description", .any, "For people; not looked at."))

  static let rule = MemberTable(
    .init("when", .shared(.condition), "Names at least one fact: the rule is judged when it is written.", isRequired: true),
    .init("step", .text, "The step that is sent.", isRequired: true), .init("with", .shared(.arguments), "Its params."), .to)

  static let flow = MemberTable(
    .init("container", .word(Node.Kind.ofFlows.map(\.rawValue)), "How it holds its nodes.", isRequired: true),
    .init("root", .shared(.node), "The first child of a stack, a switch or a screen."),
    .init("tabs", .list(of: .shared(.node), atLeast: 1), "The initial tabs."),
    .init("split", .shared(.split), "The initial columns of a split."),
    .init(
      "reselect", .shared(.step),
      "A tap on the selected tab: popToRoot, none, or a step that is sent to the flow; none by default."),
    .init("back", .words(TabsManner.Back.self), "A back with nothing to pop or dismiss: select the first tab, or nothing."),
    .init("children", .orNull(.list(of: .text)), "The flows that a switch can show."),
    .init("collapse", .shared(.condition), "While it holds a split is a stack. Names at least one fact: judged when it is written."),
    .init("gives", .orNull(.shared(.params)), "The result of its end, by name: its maker's then and else receive it."),
    .init("emits", .list(of: .text), "Steps that all screens it hears may send, beside their own."),
    .init("handle", .orNull(.map(of: .shared(.handler))), "Operations by step."),
    .init("adapt", .orNull(.map(of: .orNull(.list(of: .shared(.adaptation))))), "Steps that take the place of others, by step."),
    .init("meta", .any, "Passed to clients untouched."), .init("description", .any, "For people; not looked at."))

  // MARK: From outside

  /// The hosts and schemes of links.
  static let origins = MemberTable(
    .init("host", .oneOrMore(.text), "A host of https URLs, with its port if that is not https's own."),
    .init("hosts", .oneOrMore(.text), "Hosts of https URLs."),
    .init("scheme", .oneOrMore(.text), "A scheme of the app's own; http: the hosts' URLs may begin with that too."),
    .init("schemes", .oneOrMore(.text), "Schemes of the app's own; http: the hosts' URLs may begin with that too."))

  /// The members of a link's condition, and of the holding while the condition is false.
  private static let holding: [Member] = [
    .init(
      "requires", .oneOf([.word(["none"]), .shared(.condition)]),
      "While it does not hold the link waits; none: it never waits, whatever linkDefaults says."),
    .init("hold", .duration, "How long it waits at most; a day if nothing is said."),
    .init("else", .oneOf([.word(["none"]), .shared(.step)]), "A step that is sent when it has to wait, like that of a login."),
  ]

  static let linkDefaults = MemberTable(
    origins.members + holding + [
      .init(
        "held", .whole(atLeast: 1),
        "How many links a session holds at most; the newest takes the place of the oldest. 1 if nothing is said.")
    ])

  static let link = MemberTable(
    origins.members + [
      .init(
        "path", .pattern("^/"), "Segments; {name} captures one, {name?} at the end may be missing, {name...} is all that is left.",
        isRequired: true),
      .init("query", .oneOrMore(.text), "Query items that are captured too."),
      .init("broadcast", .shared(.linkStep), "A step that every living flow gets."),
      .init("step", .text, "The step that it becomes."), .init("with", .shared(.arguments), "The step's params."), .to,
      .init("steps", .list(of: .shared(.linkStep), atLeast: 1), "The steps that it becomes, in order."),
    ] + holding, alternatives: ["step", "steps", "broadcast"])

  static let linkStep = step

  static let notifications = MemberTable(
    .init("link", .oneOrMore(.pattern("^/"), atLeast: 1), "JSON Pointers to the link; the first that holds a string wins."),
    .init("category", .oneOrMore(.pattern("^/"), atLeast: 1), "JSON Pointers to the category."),
    .init(
      "id", .oneOrMore(.pattern("^(/.*|[!#$%&'*+.^_`|~0-9A-Za-z-]+)$"), atLeast: 1),
      "JSON Pointers to the message's id, or headers with it; the first that exists counts. A message is accepted once."),
    .init("values", .orNull(.map(of: .oneOrMore(.pattern("^/"), atLeast: 1))), "Values read from the payload: names, with JSON Pointers."),
    .init("take", .orNull(.list(of: .shared(.taking))), "What messages do that come without a link; the first that takes one wins."),
    .init("suppress", .orNull(.list(of: .shared(.suppression))), "When one is not shown."))

  /// The ways in which a message can reach the app.
  private static let how = Member(
    "how", .oneOrMore(.oneOf([.word(NotificationDefinition.How.words.map(\.word)), .object(.button)]), atLeast: 1),
    "How it comes: tapped, arriving in front, silent, answered, or by a button.")

  static let button = MemberTable(.init("action", .text, "The button's identifier.", isRequired: true))

  static let taking = MemberTable(
    [
      .init("category", .text, "Only of this category."), .init("when", .shared(.condition), "Taken while this holds."), how,
      .init("link", .text, "A URL that is opened, with {name} for a value."), .init("step", .text, "The step that it becomes."),
      .init("with", .shared(.arguments), "The step's params; without it the values that have their names."), .to,
    ], alternatives: ["step", "link"])

  static let suppression = MemberTable(
    .init("category", .text, "Only of this category."), how, .init("when", .shared(.condition), "When it is not shown.", isRequired: true))
}
