import CairnCore

extension SessionBody {
  /// Returns the schemas of these members of a session: first the required ones, in the published order.
  private static func properties(_ members: SessionMembers) -> [Property] {
    var description = ObjectDescription()
    visit(members, of: nil, &description)
    let first = ["id", "app", "definition", "createdAt", "updatedAt", "revision", "clock", "accepts", "facts", "login", "pending"]
    return description.properties.sorted { one, other in
      (first.firstIndex(of: one.name) ?? first.count) < (first.firstIndex(of: other.name) ?? first.count)
    }
  }

  private static let view = [
    Property("visible", .orNull(.shared(.route)), "The visible route."), Property("stack", .shared(.stack)),
    Property("tree", .shared(.node)),
  ]

  /// The members that the response to a post contains if the client asks for them.
  static let included =
    [PredictionBody.included, ReplicaBody.ofEntry]
    + properties(.askable).map { member in
      var member = member
      member.isRequired = false
      return member
    }

  static let schema = Schema.object(properties(.whole) + view).about(
    "A session with its tree, its facts, and its pending questions, links, actions, modals, overlays, messages and effects.")

  static let startedSchema = Schema.object(properties(.whole) + view + properties([.opened, .secret])).about("A new session.")

  static let shortSchema = Schema.object(properties(.short)).about("A session in the list, without its tree.")

  static let loginSchema = Schema.object([
    Property("status", .words(["loggedOut", "requesting", "failed", "loggedIn"])),
    .maybe("reason", .text, "The reason why the last login, or the last renewal of the access token, failed."),
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
      "guarded", .list(of: .words(["pop", "back", "popToRoot", "dismiss", "select"])),
      "The gestures of `primitives` that a guard would stop now if they were posted without a count or a name."),
    .maybe("facts", typesByName, "The types of the facts that the session's client may set, by name."),
  ]).about("The actions and facts that can be posted in the current state.")

  /// An object that maps the names of params or facts to their types.
  static let typesByName = Schema.map(of: .text(like: #"^(string|integer|number|boolean|any)\??$"#))
}
