import CairnCore

// Describes the members of the top level of a definition file, and of its sections.
extension MemberTable {
  static let file = MemberTable(
    .init(
      "app", .pattern("^[a-z][a-z0-9-]*$"),
      "Name of the app, by which clients create sessions: a lowercase letter, then lowercase letters, digits and `-`.", isRequired: true),
    .init("language", .whole(atLeast: 1), "Version of the definition language: 1.", isRequired: true),
    .init(
      "include", .oneOrMore(.text, atLeast: 1),
      "Files whose sections join this file's, as paths relative to it. `*` stands for any characters of a name, `?` for one."),
    .init("description", .any, "Text for readers of the definition; the service ignores it."),
    .init(
      "root", .oneOf([.text, .object(.root)]), "Flow with which a session starts: its name, or a map with `flow` and `start`.",
      isRequired: true
    ),
    .init(
      "ttl", .duration,
      "Time to live: a session ends after this long without a change (at least 1m; default: the setting of the service or, without it, never)."
    ),
    .init(
      "offlineFor", .duration,
      "Time for which a client may be without a network, in an app that works offline (at least 1h; default: 14d). During this time, actions and notifications "
        + "with `deliver: settled` wait for the client. If the member is set, the session does not expire while a client may have unsent actions."
    ),
    .init(
      "historyRetention", .duration,
      "Time for which entries of a session's history are kept (at least 1m; default: the setting of the service or, without it, forever)."),
    .init("sets", .orNull(.map(of: .list(of: .any, atLeast: 1))), "Lists of values by name, for the member `in` of types and conditions.")
      .joined(.map),
    .init(
      "facts", .orNull(.map(of: .shared(.fact))),
      "Facts by name: typed values of the session that conditions and rules test, and that the operation `write` changes."
    ).joined(.map),
    .init(
      "screens", .orNull(.map(of: .shared(.screen))),
      "Screens of the app by name: what a user can see, with the params of each and the steps that it sends."
    ).joined(.map),
    .init("steps", .shared(.steps), "Steps that no `emits` declares: internal steps with params, and steps that operators post.")
      .joined(.map),
    .init("rules", .orNull(.list(of: .shared(.rule))), "Rules: steps that are sent when a fact is written and a condition is true.")
      .joined(.list),
    .init(
      "flows", .orNull(.map(of: .shared(.flow))),
      "Flows of the app by name: areas of navigation, each with one container and the handlers of its steps."
    ).joined(.map),
    .init(
      "linkDefaults", .orNull(.object(.linkDefaults)),
      "Members such as `host` and `scheme` that apply to all links without a member of that name."),
    .init("links", .orNull(.list(of: .shared(.link))), "Deep links in order: the first one that matches a URL is used.").joined(.list),
    .init(
      "notifications", .shared(.notifications),
      "Push notifications: where the payload contains links and values, what a message does, and which messages are not shown."
    ).joined(.members(.notifications)),
    .init(
      "oauth", .shared(.oauth), "Login provider (OAuth 2) that issues the access token; not needed if the app gets its token elsewhere."),
    .init(
      "allowHosts", .oneOrMore(.text),
      "Host, or list of hosts, that loads and messages may call. A port is required unless it is the default port of the scheme."
    ).joined(.list),
    .init(
      "loadDefaults", .orNull(.object(.loadDefaults)),
      "Defaults of all requests for `timeout`, `retry` and `headers`, and the step that is sent after a response with status 401."),
    .init(
      "compat", .object(.compat), "Settings and words for apps that were written for another navigation system; new apps do not need them."),
    .init("meta", .any, "Data for people or tools; the service ignores it."),
    former: [
      .renamed("hosts", to: "allowHosts", .oneOrMore(.text)), .init("unhandled", .text, "write it in `compat`"),
      .init("covered", .text, "write it in `compat`"),
      .init("primitives", .text, "remove it, because only operators can post push, present, set and remove"),
    ])

  static let compat = MemberTable(
    .init(
      "unhandled", .words(Definition.Unhandled.self),
      "Treatment of a step that its flow does not handle: parent (default) passes it to the parent flow, and refuses it if the root flow does not handle it either; drop drops it."
    ),
    .init("covered", .words(Definition.Covered.self), "Treatment of steps that a covered screen sends: refuse (default), or accept."),
    .init(
      "emits", .word(["any"]), "any: a screen without emits may send every step of the app. By default, such a screen may send no step."),
    .init(
      "words", .oneOrMore(.words(CompatWord.self), atLeast: 1),
      "Words of other navigation systems that the file uses: adapt, end, listen, show."))

  static let loadDefaults = MemberTable(
    .init(
      "unauthorized", .shared(.step),
      "Step that is sent to the root flow when a load gets status 401 for the access token; it is sent once per token."),
    .init("timeout", .duration, "Time limit for all attempts of a request together (default: 10s); not for loads with `every`."),
    .init(
      "retry", .shared(.retry),
      "Number of retries after a temporary failure (default: none); not for loads with `every`, and not for `post`, which is retried only with its own `retry`."
    ),
    .init(
      "headers", .shared(.headers),
      "Additional headers of every request, by name; a request's own header replaces the one of the same name."))

  static let root = MemberTable(
    .init("flow", .text, "Name of the flow with which a session starts.", isRequired: true),
    .init("start", .oneOrMore(.shared(.step)), "Step, or list of steps, that the root flow receives first."))

  static let type = MemberTable(
    .init(
      "type", .word(SharedShape.typeWords), "Type of the value. With `optional` before the type, the value may be missing.",
      isRequired: true),
    .init(
      "in", .oneOf([.text, .list(of: .any, atLeast: 1)]), "Allowed values: a list, or the name of a set (default: all values of the type)."),
    .init("of", .shared(.type), "Type of each item (only for lists; default: any)."),
    .init("default", .any, "Value that is used if none is given."),
    .init("min", .number, "Least allowed number (only for numbers)."),
    .init("max", .number, "Greatest allowed number (only for numbers)."),
    .init("minLength", .whole(atLeast: 0), "Least number of characters, counted in Unicode scalars (only for strings)."),
    .init("maxLength", .whole(atLeast: 0), "Greatest number of characters, counted in Unicode scalars (only for strings)."),
    .init("minItems", .whole(atLeast: 0), "Least number of items (only for lists)."),
    .init("maxItems", .whole(atLeast: 0), "Greatest number of items (only for lists)."),
    .init(
      "pattern", .text,
      "Pattern that a string must match as a whole: a regular expression with characters, classes, groups, alternatives and repetitions."),
    .init(
      "secret", .flag,
      "Whether a string param is secret (default: false): stored encrypted, and never shown. Only loads and messages may send it."),
    former: [optional])

  private static let optional = Former("optional", .flag, "write the type as `optional TYPE`")

  /// The members of a type, and the additional members of a fact.
  static let fact = MemberTable(
    type.members.filter { $0.name != "secret" } + [
      .init(
        "env", .environmentName,
        "Environment variable from which the fact gets its value when the session is created. Only an operator may change it."),
      .init(
        "by", .word(["client"]),
        "`client`: the session's client may set the fact when it creates the session, and by the action `facts` (default: it may not)."),
      .init(
        "assign", .map(of: .whole(atLeast: 0), atLeast: 1),
        "Weights of the allowed values: the service assigns one of them when a session is created, by a hash of the session's label or id."),
      .init("indexed", .flag, "Whether operators can search sessions by the fact's value (default: false)."),
      .init("shown", .flag, "Whether clients see the value of a fact with `env` (default: false). Other facts are always shown."),
    ], former: type.former)

  static let screen = MemberTable(
    .init("params", .orNull(.shared(.params)), "Params of the screen by name: the values with which it is created."),
    .init("emits", .shared(.emits), "Steps that clients may send from the screen (default: none)."),
    .init(
      "seen", .shared(.step),
      "Step that is sent each time the user sees a page of the screen, unless the node has its own `seen`. It is sent when the page comes to the front, and when it is visible again after another node covered it. Alerts do not count as covering. Its params can read `$seen.first`."
    ),
    .init("unseen", .shared(.step), "Step that is sent when the user no longer sees a page of the screen, although the page still exists."),
    .init("meta", .any, "Data for clients, which is passed to them unchanged."),
    .init("description", .any, "Text for readers of the definition; the service ignores it."))

  static let rule = MemberTable(
    .init(
      "when", .shared(.condition),
      "Condition of the rule, which tests at least one fact. It is evaluated when the session starts, when such a fact is written, and at the moments in its `passed` and `between`.",
      isRequired: true),
    .init("send", .text, "Name of the step to send (default recipient: the root flow).", isRequired: true),
    .init("with", .shared(.arguments), "Values of the step's params."), .to,
    former: [.renamed("step", to: "send", .text)])

  /// The members of a node that a flow with the container `screen` may have for its screen.
  static let ofScreen = beside.members.filter { !["facts", "start", "then", "else"].contains($0.name) }

  static let flow = MemberTable(
    [
      .init(
        "stack", .oneOf([.shared(.node), .constant([])]),
        "Stack, which shows its top node. The value is the node at its bottom; `[]` for none."),
      .init(
        "tabs", .list(of: .shared(.node)),
        "Tabs in order, each a screen or a flow. At the start, the first tab that can be selected is selected. `[]` for none."),
      .init(
        "switch", .list(of: .shared(.node), atLeast: 1),
        "Flows of which exactly one is shown, such as a login and the app. The operation `set` shows another one. At the start, the first flow is shown, or nothing if the list begins with `none`."
      ),
      .init(
        "split", .oneOf([.shared(.split), .constant([])]), "Split into two columns side by side, with the node of each; `[]` for none."),
      .init(
        "screen", .text, "The only screen of the flow. The flow has the params of this screen, and pushes nodes onto the stack around it."),
      .init(
        "params", .orNull(.shared(.params)),
        "Params of the flow by name: its creator passes their values in `with`, and the flow reads them as `$flow.NAME`."),
      .init(
        "facts", .orNull(.shared(.params)),
        "Facts of the flow by name: values that exist as long as the flow's node. The flow and the flows in it use them like facts of the session."
      ),
      .init(
        "reselect", .shared(.step),
        "Only for tabs: effect of a tap on the selected tab: `popToRoot`, `none` (default), or a step that is sent to the flow."),
      .init(
        "back", .words(TabsManner.Back.self),
        "Only for tabs: effect of a back gesture if nothing can be popped or dismissed. `first` selects the first tab, `order` the previous tab in order, `history` the tab that was selected before. `none` (default) does nothing."
      ),
      .init(
        "collapse", .shared(.condition),
        "Only for a split: condition under which it is a stack, for example on a phone. It tests at least one fact, and is evaluated when such a fact is written."
      ),
      .init(
        "gives", .orNull(.shared(.params)),
        "Members of the flow's result by name, with their types. The operation `finish` sets them. The step in `then`, where the flow is created, reads them as `$result`."
      ),
      .init(
        "emits", .shared(.emits),
        "Steps that clients may send from every screen of this flow and of the flows in it, in addition to the screen's own."),
      .init(
        "handle", .orNull(.map(of: .shared(.handler))),
        "Handlers by the name of the step: the operations that run when the flow receives it."),
      .init(
        "adapt", .orNull(.map(of: .orNull(.list(of: .shared(.adaptation))))),
        "Replacements by the name of the replaced step. They apply before the flow handles the step."
      ),
      .init(
        "idle", .object(.idle),
        "Step that is sent when no client has acted for some time: no step, gesture, link or tap. It is sent at most once between two actions."
      ),
      .init("meta", .any, "Data for clients, which is passed to them unchanged."),
      .init("description", .any, "Text for readers of the definition; the service ignores it."),
    ] + ofScreen,
    alternatives: Node.Kind.ofFlows.map(\.rawValue),
    former: [
      .init("container", .text, "write the container as the member, like `stack: home`"),
      .init("root", .shared(.node), "write the container as the member, like `stack: home`"),
      .init("children", .list(of: .text), "list the flows in `switch`, the initial one first"),
    ] + beside.former)

  // MARK: From outside

  /// The hosts and schemes of links.
  static let origins = MemberTable(
    .init("host", .oneOrMore(.text), "Host, or list of hosts, of the https URLs that match, each with its port if that is not 443."),
    .init(
      "scheme", .oneOrMore(.text),
      "Custom scheme of the app, or a list of them; with `http` in the list, http URLs of the hosts match as well."),
    former: [.renamed("hosts", to: "host", .oneOrMore(.text)), .renamed("schemes", to: "scheme", .oneOrMore(.text))])

  /// The members for a link's condition, and for holding the link while the condition is false.
  private static let holding: [Member] = [
    .init(
      "requires", .oneOf([.word(["none"]), .shared(.condition)]),
      "Condition that must be true before the link is followed; until then, the link is held. `none` removes the condition of `linkDefaults` (default: no condition)."
    ),
    .init("holdFor", .duration, "Maximum time for which the link is held; then it is dropped (default: 1d)."),
    .init(
      "else", .oneOf([.word(["none"]), .shared(.step)]),
      "Step that is sent when the service begins to hold the link, for example a step that opens a login; `none` removes the step of `linkDefaults`."
    ),
  ]

  private static let hold = Former.renamed("hold", to: "holdFor", .duration)

  static let linkDefaults = MemberTable(
    origins.members + holding + [
      .init(
        "to", .text,
        "Recipient of steps of links that have no `to` of their own: `root`, `all`, or a flow's name (default: the flow of the visible screen)."
      ),
      .init(
        "holdAtMost", .whole(atLeast: 1),
        "Maximum number of links that a session holds, at most 16 (default: 1); a further link replaces the oldest."),
      .init(
        "unmatched", .shared(.step),
        "Step that is sent for a URL that no link matches, with `url` and `reason` as params (default: such a URL is refused)."),
    ], former: origins.former + [hold, .renamed("held", to: "holdAtMost", .whole(atLeast: 1))])

  static let link = MemberTable(
    origins.members + [
      .init(
        "path", .pattern("^/"),
        "Path of the URL. `{name}` captures a segment, `{name?}` an optional segment at the end, `{name...}` all remaining segments.",
        isRequired: true),
      .init("query", .oneOrMore(.text), "Name, or list of names, of query parameters that are captured like segments of the path."),
      .init(
        "when", .shared(.condition),
        "Condition under which the link matches; otherwise the next link is tried (default: it always matches)."),
      .init(
        "send", .oneOf([.text, .list(of: .shared(.linkStep), atLeast: 1)]), "Step that the link sends, or a list of steps in order.",
        isRequired: true),
      .init("with", .shared(.arguments), "Values of the step's params; without this member, each param gets the capture of the same name."),
      .to,
    ] + holding,
    former: origins.former + [
      hold, .renamed("step", to: "send", .text), .renamed("steps", to: "send", .list(of: .shared(.linkStep))),
      .init("broadcast", .shared(.linkStep), "write `send: STEP` with `to: all`"),
    ])

  static let linkStep = step

  static let notifications = MemberTable(
    .init(
      "link", .oneOrMore(.pattern("^/"), atLeast: 1),
      "JSON Pointers to the link in the payload; the first one that points to a string is used (default: the members of known push providers, such as `/url`)."
    ),
    .init(
      "category", .oneOrMore(.pattern("^/"), atLeast: 1),
      "JSON Pointers to the message's category in the payload; the first one that points to a string is used (default: the members of known push providers)."
    ),
    .init(
      "id", .oneOrMore(.pattern("^(/.*|[!#$%&'*+.^_`|~0-9A-Za-z-]+)$"), atLeast: 1),
      "JSON Pointers to the message's id in the payload, or names of headers; the first one with a value is used. A session then accepts each event of a message only once."
    ),
    .init(
      "values", .orNull(.map(of: .oneOrMore(.pattern("^/"), atLeast: 1))),
      "Values that are read from the payload, by name. Each is a JSON Pointer, or a list of JSON Pointers of which the first that finds a value is used."
    ).joined(.map),
    .init(
      "take", .orNull(.list(of: .shared(.taking))),
      "Effects of messages in order; the first element that matches a message is used. If none matches, a tap opens the link in the payload."
    ).joined(.list),
    .init("suppress", .orNull(.list(of: .shared(.suppression))), "Messages that are not shown, each with its condition.").joined(.list))

  /// The ways in which a message can reach the app.
  private static let how = Member(
    "how", .oneOrMore(.oneOf([.word(NotificationDefinition.How.words.map(\.word)), .object(.button)]), atLeast: 1),
    "Ways in which the message reaches the app: by a tap, while the app is in the foreground, silently, by a text reply, or by a button.")

  static let button = MemberTable(.init("action", .text, "Identifier of the notification's button.", isRequired: true))

  static let taking = MemberTable(
    [
      .init("category", .text, "Category of the messages that the element matches (default: every category)."),
      .init("when", .shared(.condition), "Condition under which the element matches (default: always)."), how,
      .init("link", .text, "URL that is opened like a link; `{name}` inserts a value."), .init("send", .text, "Name of the step to send."),
      .init("with", .shared(.arguments), "Values of the step's params; without this member, each param gets the value of the same name."),
      .to,
      .init(
        "deliver", .word(["settled"]),
        "With `settled`, the effect waits until each client has sent its user's earlier actions, or `offlineFor` has passed (default: at once)."
      ),
    ], alternatives: ["send", "link"], former: [.renamed("step", to: "send", .text)])

  static let suppression = MemberTable(
    .init("category", .text, "Category of the messages that the element matches (default: every category)."), how,
    .init("when", .shared(.condition), "Condition under which the matching messages are not shown.", isRequired: true))
}
