extension Action {
  /// The kinds of actions. The kinds that clients post with a `type` come first. The cases have the same order as `ActionRow.rows`.
  package enum Kind: Int, CaseIterable, Sendable {
    case pop, popTo, popToRoot, back, dismiss, select, push, present, set, remove, retry, login, logout, cancel, token, appState, advance,
      facts, open, contact, tick
    /// The result of a request in a session with manual requests. Clients post this kind, but the journal stores it as an `effect`.
    case answer
    case step, notification, effect
  }
}

/// The description of one kind of action, from which readers, writers, schemas and scenarios are derived.
package final class ActionRow: Sendable {
  package let kind: Action.Kind
  /// The value of `type` in JSON.
  package let word: StaticString
  /// The word in the disk format. It stays the same if `word` is renamed.
  package let stored: StaticString
  /// A description of the action for the API's documentation.
  package let about: String
  /// The fields of the stored action, without secrets.
  package let fields: [ActionField]
  /// The fields that clients post.
  package let posted: [ActionField]
  /// Whether the stored form of the action has the same fields as the posted form.
  package let isPostedAsKept: Bool
  /// The indices in `posted` of the fields that exclude each other; empty if there are none.
  package let alternatives: Range<Int>
  /// Whether exactly one of the alternatives must be posted.
  package let needsAlternative: Bool
  /// The field whose value may directly follow the action's word in a scenario, as in `cancel: l3`; `nil` if the action has no such short
  /// form.
  package let short: StaticString?

  private init(
    _ kind: Action.Kind, _ word: StaticString, _ about: @autoclosure () -> String, _ fields: [ActionField] = [],
    stored: StaticString? = nil,
    posted: [ActionField]? = nil, alternatives: Range<Int> = 0..<0, needsAlternative: Bool = true, short: StaticString? = nil
  ) {
    self.kind = kind
    self.word = word
    self.stored = stored ?? word
    self.about = ReferenceText.of(about())
    self.fields = fields
    self.posted = posted ?? fields
    isPostedAsKept = posted == nil
    self.alternatives = alternatives
    self.needsAlternative = needsAlternative
    self.short = short
  }

  private static let count = ActionField("count", .integer(from: 1), "The number of screens; 1 if it is omitted.")
  private static let node = ActionField("node", .node, "The id of the node.")
  private static let from = ActionField(
    "from", .node,
    "The node that was visible when the user acted (default: the visible node). The gesture is refused if that node no longer exists, if a "
      + "level covers it or, unless the app has covered: accept, if anything else covers it."
  )
  private static let params = ActionField("params", .values, "The values of the params, by name.")
  private static let screen = ActionField("screen", .text, "The screen's name.", isRequired: true)
  private static let state = ActionField("state", .text, "The query item state of the redirect.")
  /// The fields of each screen in the member `stack` of the action `set`.
  package static let route = [screen, params]

  /// The rows in the order of the kinds.
  fileprivate static let rows = [
    ActionRow(
      .pop, "pop", "Pops one screen, a number of screens, or a node and all screens above it.", [count, node, from], alternatives: 0..<2,
      needsAlternative: false),
    ActionRow(
      .popTo, "popTo", "Pops to a screen or a node of the stack.", [ActionField("screen", .text, "The name of a screen."), node, from],
      alternatives: 0..<2),
    ActionRow(.popToRoot, "popToRoot", "Pops to the first screen of the stack.", [from]),
    ActionRow(
      .back, "back",
      "Acts like a phone's back button: pops, dismisses, or selects a tab, as the tab bar's definition says. If none of these is possible, "
        + "nothing changes, with the reason `at-root`.",
      [from]),
    ActionRow(.dismiss, "dismiss", "Dismisses the frontmost modal, or the given one.", [node, from]),
    ActionRow(
      .select, "select", "Selects a tab or a flow of a switch. Selecting the tab that is already selected is allowed.",
      [ActionField("tab", .integer(from: 0), "The tab's index, from 0."), ActionField("flow", .text, "The flow's name."), node, from],
      alternatives: 0..<2),
    ActionRow(.push, "push", "Pushes a screen. Operators only.", route),
    ActionRow(
      .present, "present", "Presents a screen over the visible ones. Operators only.",
      route + [
        ActionField("style", .word(PresentationStyle.allCases.map { $0.rawValue }), "The presentation style; a sheet if it is omitted."),
        node,
        ActionField(
          "replace", .flag, "Whether the screen replaces a modal that is already presented. By default (false) the action is then refused."),
      ]),
    ActionRow(
      .set, "set", "Replaces the stack. Operators only.",
      [ActionField("stack", .routes, "The screens of the stack, bottom first.", isRequired: true)]),
    ActionRow(
      .remove, "remove", "Removes a node. Operators only.", [ActionField("node", .node, "The id of the node.", isRequired: true)]
    ),
    ActionRow(
      .retry, "retry",
      "Sends a message of an imported session, or attempts a message again before its next attempt is due. A request that is already in "
        + "progress continues. Operators only.",
      [ActionField("key", .text, "The key of the message, as listed in `pending`.", isRequired: true)]),
    ActionRow(
      .login, "login", "Exchanges a code for a token; an operator may omit the state.",
      [ActionField("code", .flag), state, ActionField("error", .text), ActionField("byOperator", .flag)],
      posted: [ActionField("code", .text, "The query item code of the redirect.", isRequired: true), state]),
    ActionRow(.logout, "logout", "Deletes the access token and drops the held links."),
    ActionRow(
      .cancel, "cancel", "Drops a held link or a held action, or answers a question with no: its action is not performed.",
      [
        ActionField("link", .link, "The id of the held link, as listed in `pending`."),
        ActionField("question", .question, "The id of the question, as listed in `pending`."),
        ActionField("held", .held, "The id of the held action, as listed in `pending`. Operators only."),
      ], alternatives: 0..<3, short: "link"),
    ActionRow(
      .token, "token", "Sets the access token.", [ActionField("accessToken", .flag, isStored: false)],
      posted: [ActionField("accessToken", .token, "The token; it is stored encrypted, and never returned.", isRequired: true)]),
    ActionRow(
      .appState, "appState", "Reports whether the app is in the foreground; never refused.",
      [ActionField("state", .word(Action.Activity.allCases.map { $0.rawValue }), "The state of the app.", isRequired: true)], short: "state"
    ),
    ActionRow(
      .advance, "advance", "Advances a manual clock.", [ActionField("to", .time)],
      posted: [ActionField("by", .duration, "The duration by which the clock advances.", isRequired: true)]),
    ActionRow(
      .facts, "facts", "Sets facts. An operator can set any fact except appState and away, a client only those declared with by: client.",
      [ActionField("set", .values, "Values by the facts' names.", isRequired: true)], short: "set"),
    ActionRow(
      .open, "open", "Opens a deep link, as the operating system passes it to the app, or the redirect of an OAuth login.",
      [ActionField("url", .text)], posted: [ActionField("url", .url, "The URL.", isRequired: true)]),
    ActionRow(
      .contact, "contact",
      "Reports that the client has sent everything that its user did before this action. Without a number, it changes nothing. A held action is performed "
        + "when all the clients for which it waits have sent this action."),
    ActionRow(
      .tick, "tick",
      "Performs a tick of a timer that the client has run, because the action that started the timer waited for the network. It changes nothing if the timer "
        + "is no longer running, if the tick has run, or if it is not due by the client's time.",
      [
        ActionField("node", .node, "The id of the node to which the timer belongs.", isRequired: true),
        ActionField("send", .text, "The step that the timer sends; omitted for the timer that ends an overlay."),
        ActionField("tick", .integer(from: 1), "The number of the tick of a repeating timer, from 1; 1 if it is omitted."),
      ]),
    ActionRow(
      .answer, "answer", "Completes a load or a token exchange of a session with manual requests.",
      posted: [
        ActionField("effect", .integer(from: 1), "The number of the request's effect (default: that of the oldest request)."),
        ActionField("loaded", .value, "The value that the load returned."), ActionField("failed", .text, "The reason why the load failed."),
        ActionField("exchanged", .token, "The token that the exchange returned."),
        ActionField("exchangeFailed", .text, "The reason why the exchange failed."),
      ], alternatives: 1..<5),
    ActionRow(
      .step, "step", "Sends a step of the app.",
      [
        ActionField("step", .text, "The step's name.", isRequired: true), params,
        ActionField("from", .node, "The node of the screen that sends the step (default: the visible screen)."),
      ]),
    ActionRow(
      .notification, "notification", "A push notification.",
      [
        ActionField("url", .text), ActionField("category", .text), ActionField("tap", .flag),
        ActionField("appState", .word(Action.AppState.allCases.map { $0.rawValue })), ActionField("values", .values),
        ActionField("action", .text), ActionField("reply", .text), ActionField("silent", .flag),
      ], posted: []),
    ActionRow(
      .effect, "effect", "The end of an effect.",
      [
        ActionField("effect", .integer(from: 1)), ActionField("due", .time), ActionField("loaded", .value), ActionField("failed", .text),
        ActionField("exchanged", .flag), ActionField("abandoned", .text), ActionField("tokenExpired", .flag),
      ], posted: []),
  ]

  /// The table row of an action kind.
  package static subscript(kind: Action.Kind) -> ActionRow { rows[kind.rawValue] }
}

extension ActionRow {
  /// Whether the action is complete without members, so that a scenario writes it as one word.
  package var isWord: Bool { isPostedAsKept && fields.allSatisfy { $0.name.description == Self.from.name.description } }

  /// The rows of the kinds that have a short form in scenarios.
  package static let inShort = rows.filter { $0.short != nil }
}

extension Action.Kind {
  /// The kinds that clients post with a `type`.
  package static let posted = allCases.filter { $0.isPosted }

  package var isPosted: Bool { rawValue <= Self.answer.rawValue }

  /// Whether the action may remove something, so that an operator can post it with `deliver: settled`.
  package var canSettle: Bool {
    switch self {
    case .pop, .popTo, .popToRoot, .back, .dismiss, .select, .push, .present, .set, .remove, .logout, .step: true
    default: false
    }
  }

  package var word: String { ActionRow[self].word.description }

  /// Whether the action is a gesture, whose member `from` names the node that was visible when the user acted.
  package var isGesture: Bool { rawValue <= Self.select.rawValue }

  /// Creates the kind with this word as its `type` in JSON; `nil` if no kind has the word.
  package init?(word: String) {
    guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = kind
  }

  /// The kind that a `type` names; `nil` if the word is unknown.
  package init?(_ type: JSONElement) {
    guard let kind = Self.allCases.first(where: { type.isString(ActionRow[$0].word) }) else { return nil }
    self = kind
  }

  /// The kind that a `type` names in the disk format; `nil` if the word is unknown.
  package init?(stored type: JSONElement) {
    guard let kind = Self.allCases.first(where: { type.isString(ActionRow[$0].stored) }) else { return nil }
    self = kind
  }
}

extension Action {
  package var kind: Kind {
    switch self {
    case .step: .step
    case .gesture(let gesture, _): gesture.kind
    case .push: .push
    case .present: .present
    case .set: .set
    case .remove: .remove
    case .retry: .retry
    case .login: .login
    case .logout: .logout
    case .cancel, .cancelQuestion: .cancel
    case .contact: .contact
    #if !CLIENT_ENGINE
      case .cancelHeld: .cancel
      case .settled(let action): action.kind
    #endif
    case .token: .token
    case .appState: .appState
    case .facts: .facts
    case .open: .open
    case .tick: .tick
    case .notification: .notification
    case .advance: .advance
    case .effect: .effect
    }
  }

  /// The values in the order of the kind's fields. A missing value and a default value are `nil`.
  package var values: ActionValues {
    switch self {
    case .step(let step, let from):
      ActionValues(.string(step.step), step.params.isEmpty ? nil : .object(step.params), from.map(Value.init))
    case .gesture(let gesture, let from): gesture.values(from: from)
    case .logout, .contact: ActionValues()
    case .push(let route): ActionValues(.string(route.screen), .object(route.params))
    case .present(let route, let style, let node, let replace):
      ActionValues(
        .string(route.screen), .object(route.params), .string(style.rawValue), node.map(Value.init), replace ? true : nil)
    case .set(let routes): ActionValues(.array(routes.map { $0.value }))
    case .remove(let node): ActionValues(Value(node))
    case .retry(let key): ActionValues(.string(key))
    case .login(let hasCode, let state, let error, let byOperator):
      ActionValues(.bool(hasCode), state.map(Value.string), error.map(Value.string), byOperator ? true : nil)
    case .cancel(let link): ActionValues(Value(link))
    case .cancelQuestion(let question): ActionValues(nil, .integer(question.number))
    #if !CLIENT_ENGINE
      case .cancelHeld(let held): ActionValues(nil, nil, .integer(held.number))
      case .settled(let action): action.values
    #endif
    case .token: ActionValues(true)
    case .appState(let activity): ActionValues(.string(activity.rawValue))
    case .facts(let values): ActionValues(.object(values))
    case .open(let url): ActionValues(.string(url))
    case .tick(let node, let step, let tick):
      ActionValues(Value(node), step.isEmpty ? nil : .string(step), tick == 1 ? nil : .integer(tick))
    case .notification(let url, let category, let tap, let appState, let message):
      ActionValues(
        url.map(Value.string), category.map(Value.string), .bool(tap), .string(appState.rawValue),
        message.values.isEmpty ? nil : .object(message.values), message.action.map(Value.string), message.reply.map(Value.string),
        message.isSilent ? true : nil)
    case .advance(let time): ActionValues(.integer(time))
    case .effect(let id, .due(let tick)): ActionValues(.integer(id), .integer(tick))
    case .effect(let id, .loaded(let value)): ActionValues(.integer(id), nil, value)
    case .effect(let id, .failed(let reason)): ActionValues(.integer(id), nil, nil, .string(reason))
    case .effect(let id, .exchanged): ActionValues(.integer(id), nil, nil, nil, true)
    case .effect(let id, .abandoned(let reason)): ActionValues(.integer(id), nil, nil, nil, nil, .string(reason))
    case .effect(let id, .tokenExpired): ActionValues(.integer(id), nil, nil, nil, nil, nil, true)
    }
  }

  /// The action with these values; `nil` if a required value is missing, or for the kind `answer`, which the journal never stores.
  package init?(_ kind: Kind, _ values: borrowing ActionValues) {
    let action: Action? =
      switch kind {
      case .step: values.text(0).map { .step(Step($0, params: values.values(1) ?? [:]), from: values.node(2)) }
      case .pop, .popTo, .popToRoot, .back, .dismiss, .select: Self.gesture(kind, values)
      case .cancel: Self.cancel(values)
      case .contact: .contact
      case .appState: values.text(0).flatMap(Activity.init).map { .appState($0) }
      case .open: values.text(0).map { .open(url: $0) }
      case .tick: values.node(0).map { .tick(node: $0, send: values.text(1) ?? "", tick: values.integer(2) ?? 1) }
      default: Self.inService(kind, values)
      }
    guard let action else { return nil }
    self = action
  }

  private static func cancel(_ values: borrowing ActionValues) -> Action? {
    if let link = values.link(0) { return .cancel(link: link) }
    if let question = values.integer(1) { return .cancelQuestion(QuestionID(question)) }
    #if CLIENT_ENGINE
      return nil
    #else
      return values.integer(2).map { .cancelHeld(HeldID($0)) }
    #endif
  }

  /// Returns an action of a kind that only the service can run; `nil` for any other kind, or if a required value is missing.
  private static func inService(_ kind: Kind, _ values: borrowing ActionValues) -> Action? {
    #if CLIENT_ENGINE
      return nil
    #else
      func route() -> Route? { values.text(0).map { Route($0, params: values.values(1) ?? [:]) } }
      return switch kind {
      case .push: route().map { .push($0) }
      case .present:
        route().map {
          .present(
            $0, style: values.text(2).flatMap(PresentationStyle.init) ?? .sheet, node: values.node(3), replace: values.flag(4) ?? false)
        }
      case .set: values.routes(0).map { .set($0) }
      case .remove: values.node(0).map { .remove(node: $0) }
      case .retry: values.text(0).map { .retry(key: $0) }
      case .login:
        .login(
          hasCode: values.flag(0) ?? false, state: values.text(1), error: values.text(2), byOperator: values.flag(3) ?? false)
      case .logout: .logout
      case .token: .token
      case .facts: values.values(0).map { .facts($0) }
      case .notification:
        .notification(
          url: values.text(0), category: values.text(1), tap: values.flag(2) ?? true,
          appState: values.text(3).flatMap(AppState.init) ?? .background,
          Message(
            values: values.values(4) ?? [:], action: values.text(5), reply: values.text(6), isSilent: values.flag(7) ?? false))
      case .advance: values.integer(0).map { .advance(to: $0) }
      case .effect: values.integer(0).flatMap { id in Self.completion(values).map { .effect(id: id, $0) } }
      default: nil
      }
    #endif
  }

  private static func completion(_ values: borrowing ActionValues) -> Completion? {
    if let tick = values.integer(1) { return .due(tick: tick) }
    if let value = values[2] { return .loaded(value) }
    if let reason = values.text(3) { return .failed(reason) }
    if values.flag(4) == true { return .exchanged }
    if values.flag(6) == true { return .tokenExpired }
    return values.text(5).map { .abandoned($0) }
  }
}

extension Command {
  /// The command that a client posted; `nil` if a required value is missing. `byOperator` is whether an operator posted it; an operator may
  /// omit the state of a `login`.
  package init?(_ kind: Action.Kind, posted values: borrowing ActionValues, byOperator: Bool) {
    let command: Command? =
      switch kind {
      case .login: values.text(0).map { .login(code: $0, state: values.text(1), byOperator: byOperator) }
      case .token: values.text(0).map { .token($0) }
      case .advance: values.integer(0).map { .advance(by: $0) }
      case .open: values.text(0).map { .open(url: $0) }
      case .answer: RequestAnswer(values).map { .answer($0) }
      default: Action(kind, values).map { .action($0) }
      }
    guard let command else { return nil }
    self = command
  }
}

extension RequestAnswer {
  fileprivate init?(_ values: borrowing ActionValues) {
    let end: End? =
      values[1].map { .loaded($0) } ?? values.text(2).map { .failed($0) } ?? values.text(3).map { .exchanged(token: $0) }
      ?? values.text(4).map { .exchangeFailed($0) }
    guard let end else { return nil }
    self.init(end, of: values.integer(0))
  }
}
