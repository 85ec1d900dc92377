import CairnAPI
import CairnCore

/// One endpoint: a row of the table that routes requests and from which the OpenAPI document is generated.
struct Endpoint: Sendable {
  let method: RequestRecord.Method
  /// The template of the path. Rows with the same template form one `Route`.
  let path: String
  var port = Port.main
  /// The operation id, which names the endpoint in generated clients. It must not change.
  let id: String
  /// The section of the document that contains the endpoint.
  let topic: Topic
  let summary: String
  var about = ""
  let who: Who
  /// The query parameters in the order in which they are read, without `pretty`.
  var query: [any DescribedParameter] = []
  var headers: [RequestField] = []
  var body: Body?
  let answers: [Reply]
  /// The problems that the endpoint can return in addition to `Document.common`.
  var problems: [ProblemCode] = []
  /// Whether the app's definition can refuse the request.
  var isRefusable = false
  /// Examples for the document. A test sends each of them.
  var examples: [Example] = []
  /// Handles a request. Runs on the connection's thread and must not block.
  let run: Run

  /// All rows. Among paths with the same number of segments, earlier rows are found faster.
  static let all = [importing] + sessions + acting + live + apps + migrations + copies + service

  typealias Run = @Sendable (Service, Call) throws(Rejection) -> Void

  /// The port that serves an endpoint. `main` is the public port. `metrics` is the operators' port, or the public port if no operators'
  /// port is configured. `both` is each of the two ports.
  enum Port: Sendable { case main, metrics, both }

  /// The sections of the document.
  enum Topic: String, CaseIterable, Sendable {
    case sessions = "Sessions"
    case acting = "Acting"
    case live = "Live"
    case apps = "Apps"
    case releases = "Releases"
    case service = "Service"

    /// The description of the section.
    var about: String {
      switch self {
      case .sessions: "Start, read and end sessions."
      case .acting: "Post actions, links and notifications to a session."
      case .live: "Receive changes as streams of server-sent events."
      case .apps: "Publish and read the definitions of apps."
      case .releases: "Move running sessions to another definition, and back."
      case .service: "Health, metrics, the API document and the console."
      }
    }
  }

  /// The callers that are authorized. `session`: a client with the session's secret, or an operator. `ticket`: the callers of `session`, or
  /// the holder of a ticket for the session. `operatorTicket`: an operator, or the holder of an operator's ticket.
  enum Who: Sendable { case anyone, session, `operator`, ticket, operatorTicket }

  struct Body: Sendable {
    /// The schema of a JSON body; `nil` if the body is not JSON.
    let schema: Schema?
    /// The schemas of the other media types, by media type.
    var others: [String: Schema] = [:]
  }

  /// The response of a successful request.
  struct Reply: Sendable {
    let status: Int
    let about: String
    /// The schemas by media type.
    var contents: [(type: String, schema: Schema)] = []
    var headers: [AnswerField] = []
    /// The schema of the data of a stream's events, by event name.
    var events: [String: Component] = [:]

    /// A response with a JSON body.
    static func json(_ status: Int = 200, _ schema: Component, _ about: String, _ headers: AnswerField...) -> Reply {
      Reply(status: status, about: about, contents: [("application/json", .shared(schema))], headers: headers)
    }

    /// A response with a stream of server-sent events. `events` contains the schema of each event's data, by event name.
    static func events(_ about: String, _ events: [String: Component]) -> Reply {
      Reply(status: 200, about: about, contents: [("text/event-stream; charset=utf-8", .text)], events: events)
    }

    /// A response with a text body.
    static func text(_ type: String, _ about: String) -> Reply { Reply(status: 200, about: about, contents: [(type, .text)]) }
  }

  /// An example of a request's body, with its name and summary in the document.
  struct Example: Sendable {
    let name: String
    let summary: String
    let body: Value
  }
}
