import CairnAPI
import CairnCore

/// The query parameters of all endpoints. Endpoints parse them, and the document describes them.
enum Query {
  static let pretty = Parameter.flag("pretty", "Returns indented JSON, with one member per line.")

  static let revision = Parameter.integer("revision", 1...Int.max, "The revision to return; default the newest.")

  static let appState = Parameter<Action.AppState>.choice(
    "state", "The state of the app when the notification arrives; default background.")
  static let tap = Parameter.flag("tap", "Whether the user taps the notification; default true.")
  static let button = Parameter.text(
    "action", "Identifier of the pressed button. The body can contain it instead, next to payload.")
  static let reply = Parameter.lines(
    "reply", "Text of the reply. Send a user's text in the body instead, next to payload: proxies log queries and limit their length.")

  static let afterRevision = Parameter.integer(
    "after", 0...Int.max, "Returns only entries after this revision. Not allowed with as=scenario.")
  static let form = Parameter<HistoryEndpoints.HistoryForm>.choice(
    "as", "Format of the history: json (default), or scenario for a scenario file that can be run.")
  static let since = Parameter.time(
    "since", "Returns only entries of this time or later: a UTC time, a day, or an age such as 30d. Not allowed with as=scenario.")
  static let until = Parameter.time(
    "until", "Returns only entries before this time: a UTC time, a day, or an age such as 30d. Not allowed with as=scenario.")
  static let historyTime = Parameter<HistoryEndpoints.HistoryTime>.choice(
    "by",
    "The time of an entry to which since and until apply. receivedAt (default): when the service ran the action. at: when the user acted, according "
      + "to the client. With at, entries that arrived more than 14 days after until are not returned.")
  static let entries = Parameter.integer(
    "limit", 1...1_000, "Maximum number of entries per page; default 100. With as=scenario, the default and the maximum are 10,000.")
  /// Maximum number of entries of a history in the form of a scenario.
  static let steps = Parameter.integer("limit", 1...10_000, "Maximum number of entries in the scenario; default 10,000.")

  static let app = Parameter.text("app", "Selects the sessions of the app with this name.")
  static let label = Parameter.text("label", "Selects the sessions with this label.")
  static let newLabel = Parameter.text("label", "Label of the new session; default the label in the file.")
  static let definition = Parameter(
    "definition", "a definition's hash, 64 lowercase hexadecimal digits", .definitionHash,
    "Hash of one of the app's definitions; default the served one. With /v1/sessions: selects only the sessions on this definition."
  ) { $0.isDefinitionHash ? $0 : nil }
  static let createdAfter = Parameter.time(
    "created_after", "Selects sessions created at this time or later: a UTC time, a day, or an age such as 30d.")
  static let createdBefore = Parameter.time(
    "created_before", "Selects sessions created before this time: a UTC time, a day, or an age such as 30d.")
  static let after = Parameter.text("after", "Cursor of the page. The path in the previous page's next contains it.")
  static let listed = Parameter.integer("limit", 1...1_000, "Maximum number of sessions per page; default 100.")
  static let endedAtOnce = Parameter.integer("limit", 1...10_000, "Maximum number of sessions that the request ends; default 1,000.")

  static let plan = Parameter.flag("plan", "Returns the effect that the request would have, and changes nothing.")
  static let serve = Parameter.flag(
    "serve", "false: stores the definition for a rollout, but does not serve it to new sessions; default true.")
  static let wait = Parameter.wait("wait", "With If-None-Match: time to wait for the next change, such as 30s; at most 60s.")
  static let ticket = Parameter.text(
    "ticket", "A ticket instead of the Authorization header, which a browser's EventSource cannot send. It is valid once, for 30 s.")
  static let predict = Parameter.flag("predict", "Adds predictions of the client's next actions to events, like Prefer: predict.")
  static let replica = Parameter.flag(
    "replica", "Adds the data for an engine in the client to events, like Prefer: replica, if the setting predict lists the app.")
  static let client = Parameter.text(
    "client",
    "Id of a client that numbers its actions. If the state contains actions of the client, the member `last` of the response is the highest of their numbers."
  )
  static let lastEventID = Parameter.text(
    "last_event_id", "Id of the last event that the client received. The header Last-Event-ID takes precedence.")
  static let url = {
    var url = Parameter("url", "a URL of at most \(LinkLimit.bytes) bytes", .url.inLines, "The URL to match against the app's links.") {
      LinkLimit.allows($0) ? $0 : nil
    }
    // A URL may have line breaks around it, which are removed as in a body.
    url.allowsLines = true
    return url
  }()
  static let graphFormat = Parameter<GraphFormat>.choice(
    "format", "Format of the graph; default JSON, or the format that the header Accept selects.")

  /// The parameters of the endpoints that list or end sessions, except their limits.
  static let filter: [any DescribedParameter] = [app, label, definition, createdAfter, createdBefore, after]
}
