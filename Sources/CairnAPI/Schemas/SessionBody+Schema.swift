import CairnCore

extension SessionBody {
  private static let names = [
    Property("id", .shared(.sessionID)), Property("app", .text), Property("definition", .text, "The hash of the definition that it is on."),
    .maybe("label", .text), Property("createdAt", .shared(.time)), Property("updatedAt", .shared(.time)),
    .maybe("expiresAt", .shared(.time), "When it ends if nothing changes it before."), Property("revision", .shared(.revision)),
  ]

  private static let members =
    names + [
      Property("clock", .words(CreationRequest.ClockKind.self)), .maybe("now", .shared(.time), "Of a manual clock."),
      Property("accepts", .shared(.acceptance)), Property("facts", .shared(.facts)), Property("login", .shared(.login)),
      Property("pending", .list(of: .shared(.pending)), "The timers and effects in progress."),
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

  static let schema = Schema.object(members + [PredictionBody.included, ReplicaBody.ofSession]).about("A session.")

  static let startedSchema = Schema.object(
    members + [
      Property("secret", .text(like: "^cs_[A-Za-z0-9_-]{43}$"), "Opens the session. Shown this once."),
      .maybe(
        "opened", Schema(["anyOf": [Component.performed.reference.value, Component.problem.reference.value]]),
        "The answer to the link or notification of a cold start: the creation never fails for it."), PredictionBody.included,
      ReplicaBody.ofSession,
    ]
  ).about("A session that was started.")

  static let shortSchema = Schema.object(names + [.maybe("visible", .shared(.route))]).about("A session in short.")

  static let loginSchema = Schema.object([
    Property("status", .words(["loggedOut", "requesting", "failed", "loggedIn"])),
    .maybe("reason", .text, "Why the last exchange failed."),
  ])

  static let acceptanceSchema = Schema.object([
    Property(
      "steps", .list(of: .object([Property("step", .text), Property("params", typesByName, "Types by name, ? behind an optional one.")]))),
    Property("primitives", .list(of: .words(Action.Kind.posted.map(\.word)))),
    .maybe(
      "guarded", .list(of: .words(["pop", "back", "popToRoot", "dismiss"])), "Gestures that are asked before they take something away."),
    .maybe("facts", typesByName, "Facts that the session's client may set: types by name."),
  ]).about("What can be posted now.")

  /// An object that maps the names of params or facts to their types.
  static let typesByName = Schema.map(of: .text(like: #"^(string|integer|number|boolean|any)\??$"#))
}
