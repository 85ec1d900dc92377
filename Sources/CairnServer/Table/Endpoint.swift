import CairnAPI
import CairnCore

/// What may be asked at a route by one method: a row of the table that the document of the API is made of.
struct Endpoint: Sendable {
  /// Its name in generated clients; it stays as it is.
  let id: String
  /// Where it stands in the document.
  let topic: Topic
  let summary: String
  var about = ""
  let who: Who
  /// In the order in which they are read, without `pretty`.
  var query: [any DescribedParameter] = []
  var headers: [RequestField] = []
  var body: Body?
  let answers: [Reply]
  /// What it may say beside what any endpoint may.
  var problems: [ProblemCode] = []
  /// Whether an app may refuse what is asked.
  var isRefusable = false
  /// Requests that a test sends.
  var examples: [Example] = []

  /// Chapters of the document.
  enum Topic: String, CaseIterable, Sendable {
    case sessions = "Sessions"
    case acting = "Acting"
    case live = "Live"
    case apps = "Apps"
    case service = "Service"

    /// For people.
    var about: String {
      switch self {
      case .sessions: "Started, looked at, ended."
      case .acting: "What happened: actions, links, notifications."
      case .live: "Each change as it comes."
      case .apps: "The definitions that are served."
      case .service: "How the service is."
      }
    }
  }

  /// Who may.
  enum Who: Sendable { case anyone, session, `operator`, ticket, operatorTicket }

  /// What is sent along.
  struct Body: Sendable {
    let schema: Schema
    /// What is taken beside JSON, by media type.
    var others: [String: Schema] = [:]
  }

  /// What is answered where nothing is wrong.
  struct Reply: Sendable {
    let status: Int
    let about: String
    /// By media type.
    var contents: [(type: String, schema: Schema)] = []
    var headers: [AnswerField] = []
    /// What the data of a stream's events are, by their names.
    var events: [String: Component] = [:]

    /// JSON.
    static func json(_ status: Int = 200, _ schema: Component, _ about: String, _ headers: AnswerField...) -> Reply {
      Reply(status: status, about: about, contents: [("application/json", .shared(schema))], headers: headers)
    }

    /// A stream of server-sent events, by their names.
    static func events(_ about: String, _ events: [String: Component]) -> Reply {
      Reply(status: 200, about: about, contents: [("text/event-stream; charset=utf-8", .text)], events: events)
    }

    /// Text.
    static func text(_ type: String, _ about: String) -> Reply { Reply(status: 200, about: about, contents: [(type, .text)]) }
  }

  /// A request that a test sends.
  struct Example: Sendable {
    let name: String
    let summary: String
    let body: Value
  }
}
