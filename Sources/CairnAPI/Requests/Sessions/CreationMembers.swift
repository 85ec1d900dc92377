import CairnCore

/// The members of the body that starts a session, with their types and descriptions.
enum CreationMembers {
  static let app = Member.string("app", "The app's name: one of GET /v1/apps.", isRequired: true)
  static let accessToken = Member.token("accessToken", "The access token of a logged-in user: visible ASCII characters.")
  static let open = Member.url("open", "A cold start by a link: its URL.")
  static let notification = Member.object("notification", "A cold start by a notification that was tapped: its payload.")
  static let requests = Member<CreationRequest.RequestKind>.choice(
    "requests", "manual: the service does not send the session's requests; the action answer ends them. Operators only.")
  static let environment = Member.object("environment", "In the place of the service's own variables, by name. The operator's.", of: .text)
  static let clock = Member<CreationRequest.ClockKind>.choice("clock", "manual: only the action advance moves the clock.")
  static let definition = Member.line(
    "definition", "The hash of the definition with which the session begins: one that the app has or had. Without it the newest one.")
  static let label = Member.line("label", "Free text; the list can be filtered by it.", atMost: CreationRequest.labelLimit)
  static let facts = Member.object("facts", "First values of facts: a client's those that are declared with by: client, an operator's any.")
  static let scenario = Member.object(
    "scenario", "The session begins where this scenario ends (docs/scenarios.md), with a manual clock. Operators only.", of: .any)

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
