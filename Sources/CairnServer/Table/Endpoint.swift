import CairnAPI
import CairnCore

/// One endpoint: a row of the table that routes requests and that the document of the API is generated from.
struct Endpoint: Sendable {
  let method: RequestRecord.Method
  /// The template of its path. Rows with the same template are one `Route`.
  let path: String
  var port = Port.main
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
  /// Its problems beside those that any endpoint may return.
  var problems: [ProblemCode] = []
  /// Whether an app may refuse what is asked.
  var isRefusable = false
  /// Requests that a test sends.
  var examples: [Example] = []
  /// Answers a request. On the connection's thread; never blocks.
  let run: Run

  /// All rows. Of paths of the same length the first ones are found soonest.
  static let all = sessions + acting + live + apps + service

  typealias Run = @Sendable (Service, Call) throws(Rejection) -> Void

  /// The ports that serve an endpoint: the public one, the operators' one, or both. `metrics`: the latter if there is one.
  enum Port: Sendable { case main, metrics, both }

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

  /// The callers that are authorized.
  enum Who: Sendable { case anyone, session, `operator`, ticket, operatorTicket }

  /// The body of a request.
  struct Body: Sendable {
    let schema: Schema
    /// Other types beside JSON, by media type.
    var others: [String: Schema] = [:]
  }

  /// The response of a successful request.
  struct Reply: Sendable {
    let status: Int
    let about: String
    /// By media type.
    var contents: [(type: String, schema: Schema)] = []
    var headers: [AnswerField] = []
    /// The data of a stream's events, by their names.
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
