import CairnCore

/// The members of the body that starts a session, with their types and descriptions.
enum CreationMembers {
  static let app = Member.string("app", "The app's name, as in GET /v1/apps.", isRequired: true)
  static let accessToken = Member.token("accessToken", "The access token of a logged-in user: visible ASCII characters.")
  static let open = Member.url("open", "URL of a link that starts the app.")
  static let notification = Member.object("notification", "Payload of a tapped notification that starts the app.")
  static let requests = Member<CreationRequest.RequestKind>.choice(
    "requests",
    "`manual`: the service sends no loads and token calls of the session; the action `answer` ends each of them. Operators only; default `sent`."
  )
  static let environment = Member.object(
    "environment", "Environment variables by name; they replace the service's own. Operators only.", of: .text)
  static let clock = Member<CreationRequest.Clock>(
    "clock", "system, manual, or a time such as 2026-03-01T12:00:00Z",
    .one(of: [.words(CreationRequest.ClockKind.self), .text(like: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T")]),
    "`manual`: only the action `advance` moves the clock. An ISO 8601 time with a time zone, from 1970 on: a manual clock that starts at this time. Default `system`."
  ) { $0.string.flatMap(CreationRequest.Clock.init) }
  static let definition = Member.line(
    "definition",
    "The hash of the definition on which the session starts; it may be an earlier definition of the app. Default: the served definition.")
  static let label = Member.line("label", "Free text. The list of sessions can be filtered by it.", atMost: CreationRequest.labelLimit)
  static let facts = Member.object(
    "facts",
    "Initial facts by name. An operator may set all facts except `appState` and `away`; a client may set only facts with `by: client` in the definition."
  )
  static let scenario = Member.object(
    "scenario", "A scenario (docs/scenarios.md). The session starts in the scenario's final state, with a manual clock. Operators only.",
    of: .any
  )

  /// All members in the order in which they are read.
  static let all: [any DescribedMember] = [
    app, accessToken, open, notification, requests, environment, clock, definition, label, facts, scenario,
  ]
}

extension CreationRequest {
  /// The schema of a body that starts a session of any app.
  package static let schema = schema(of: CreationMembers.all.map(\.property))

  /// The schema of a body that starts a session of one app. `facts` is the schema of that app's facts.
  package static func schema(app: String, facts: Schema) -> Schema {
    schema(
      of: CreationMembers.all.map(\.property).map { property in
        switch property.name {
        case "app": Property("app", .only(app))
        case "facts": .maybe("facts", facts)
        default: property
        }
      })
  }

  private static func schema(of properties: [Property]) -> Schema {
    .closed(properties).with("not", ["required": ["open", "notification"]])
  }
}
