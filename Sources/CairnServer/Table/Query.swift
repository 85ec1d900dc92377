import CairnAPI
import CairnCore

/// The query parameters of all endpoints. Endpoints parse them, and the document describes them.
enum Query {
  static let pretty = Parameter.flag("pretty", "JSON for people: a line for each member.")

  static let revision = Parameter.integer("revision", 1...Int.max, "The session as it was then.")

  static let appState = Parameter<Action.AppState>.choice("state", "Where the app is when it comes; background if nothing is said.")
  static let tap = Parameter.flag("tap", "false: it is only received.")
  static let button = Parameter.text(
    "action", "The button that was pressed, by its identifier. The body may have it instead, beside payload.")
  static let reply = Parameter.lines(
    "reply", "The text of the reply. A user's words belong in the body instead, beside payload: proxies log a query, and bound its length.")

  static let afterRevision = Parameter.integer("after", 0...Int.max, "Only entries after this revision.")
  static let form = Parameter<HistoryEndpoints.HistoryForm>.choice("as", "scenario: as a scenario file that runs.")
  static let entries = Parameter.integer(
    "limit", 1...1_000, "Entries of a page: 100 if nothing is said; of a scenario 10,000, which is also the most then.")
  /// The limit of a history in the form of a scenario.
  static let steps = Parameter.integer("limit", 1...10_000, "Entries of a scenario at most: 10,000 if nothing is said.")

  static let app = Parameter.text("app", "Of this app.")
  static let label = Parameter.text("label", "With this label.")
  static let newLabel = Parameter.text("label", "The new session's label. Without it that of the file.")
  static let definition = Parameter(
    "definition", "a definition's hash, 64 digits from 0 to f", .definitionHash,
    "With this hash: the definition that is meant, or that sessions are on."
  ) { $0.isDefinitionHash ? $0 : nil }
  static let createdAfter = Parameter.time("created_after", "Created then or later: a time in UTC, a day, or how long ago, like 30d.")
  static let createdBefore = Parameter.time("created_before", "Created earlier: a time in UTC, a day, or how long ago, like 30d.")
  static let after = Parameter.text("after", "Where the page before ended, as its next says.")
  static let listed = Parameter.integer("limit", 1...1_000, "Sessions of a page: 100 if nothing is said.")
  static let endedAtOnce = Parameter.integer("limit", 1...10_000, "How many are ended at once: 1,000 if nothing is said.")

  static let plan = Parameter.flag("plan", "Says what would come of it; nothing of it is kept.")
  static let serve = Parameter.flag("serve", "false: the definition is only stored, for a rollout.")
  static let wait = Parameter.wait("wait", "With If-None-Match: waits for the next change, a minute at most.")
  static let ticket = Parameter.text(
    "ticket", "In the place of credentials, which browsers cannot send here: good once, for half a minute.")
  static let predict = Parameter.flag("predict", "Each event also says what the client's next actions would do, as with Prefer: predict.")
  static let replica = Parameter.flag("replica", "Each event also has what an engine in the client needs, as with Prefer: replica.")
  static let client = Parameter.text("client", "A client that numbers its actions: last is its highest number then.")
  static let lastEventID = Parameter.text("last_event_id", "As the header Last-Event-ID.")
  static let url = {
    var url = Parameter("url", "a URL of at most \(LinkLimit.bytes) bytes", .url.inLines, "A URL that is held against the links.") {
      LinkLimit.allows($0) ? $0 : nil
    }
    // Line breaks around a URL are removed, as in a body.
    url.allowsLines = true
    return url
  }()
  static let graphFormat = Parameter<GraphFormat>.choice("format", "How it is drawn: as Accept says, else as JSON.")

  /// The parameters that select sessions.
  static let filter: [any DescribedParameter] = [app, label, definition, createdAfter, createdBefore, after]
}
