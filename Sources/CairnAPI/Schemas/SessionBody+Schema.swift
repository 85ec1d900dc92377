import CairnCore

extension SessionBody {
  private static let names = [
    Property("id", .shared(.sessionID)), Property("app", .text), Property("definition", .text, "The hash of the session's definition."),
    .maybe("label", .text), Property("createdAt", .shared(.time)), Property("updatedAt", .shared(.time)),
    .maybe("expiresAt", .shared(.time), "The time at which the session expires unless it changes before."),
    Property("revision", .shared(.revision)),
  ]

  private static let members =
    names + [
      Property("clock", .words(CreationRequest.ClockKind.self)), .maybe("now", .shared(.time), "The time of a manual clock."),
      Property("accepts", .shared(.acceptance)), Property("facts", .shared(.facts)), Property("login", .shared(.login)),
      Property("pending", .list(of: .shared(.pending)), "The held links, queued modals and effects in progress."),
      Property("visible", .orNull(.shared(.route)), "The visible route."), Property("stack", .shared(.stack)),
      Property("tree", .shared(.node)),
    ]

  /// The members that the response to a post contains if the client asks for them.
  static let included =
    [PredictionBody.included, ReplicaBody.ofEntry]
    + members.filter { SessionMembers.allNames.contains($0.name) }.map { member in
      var member = member
      member.isRequired = false
      return member
    }

  static let schema = Schema.object(members + [PredictionBody.included, ReplicaBody.ofSession]).about(
    "A session with its tree, facts and pending effects.")

  static let startedSchema = Schema.object(
    members + [
      Property(
        "secret", .text(like: "^cs_[A-Za-z0-9_-]{43}$"),
        "The session's secret, a credential for this session. Only this response contains it."),
      .maybe(
        "opened", Schema(["anyOf": [Component.performed.reference.value, Component.problem.reference.value]]),
        "The response to the link or notification of the creation. The session starts even if it was refused."), PredictionBody.included,
      ReplicaBody.ofSession,
    ]
  ).about("A new session.")

  static let shortSchema = Schema.object(names + [.maybe("visible", .shared(.route))]).about("A session in the list, without its tree.")

  static let loginSchema = Schema.object([
    Property("status", .words(["loggedOut", "requesting", "failed", "loggedIn"])),
    .maybe("reason", .text, "The reason why the last token exchange failed."),
  ])

  static let acceptanceSchema = Schema.object([
    Property(
      "steps",
      .list(
        of: .object([
          Property("step", .text),
          Property("params", typesByName, "The type of each param, by name; the type of an optional param ends with ?."),
        ]))),
    Property("primitives", .list(of: .words(Action.Kind.posted.map(\.word)))),
    .maybe(
      "guarded", .list(of: .words(["pop", "back", "popToRoot", "dismiss"])),
      "Gestures that run a guard first, because they would dismiss a guarded node."),
    .maybe("facts", typesByName, "The types of the facts that the session's client may set, by name."),
  ]).about("The actions and facts that can be posted in the present state.")

  /// An object that maps the names of params or facts to their types.
  static let typesByName = Schema.map(of: .text(like: #"^(string|integer|number|boolean|any)\??$"#))
}
