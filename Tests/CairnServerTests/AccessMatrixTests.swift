import CairnCore
import CairnHTTP
import CairnTesting
import Testing

@testable import CairnServer

/// Calls every endpoint with every kind of credential. An endpoint without a row in this table fails the test.
@Suite(.tags(.timing), .ownThreads) struct `Authorization` {
  private enum Given: CaseIterable {
    /// No `Authorization` field, a scheme other than Bearer, a word that is not a credential, and a well-formed secret of no session.
    case nothing, malformed, guess, wrong
    /// The secret of another session, the secret of the session, and an operator key.
    case other, own, `operator`
    /// The secret of a deleted session, used for that session if the path names a session, and an operator key for the same path.
    case gone, operatorForGone
  }

  /// The status for each case of `Given`, in that order, by method and path template.
  private static let statuses: [String: [Int]] = [
    "POST /v1/sessions": [201, 401, 401, 401, 401, 401, 201, 401, 201],
    "GET /v1/sessions": [401, 401, 401, 403, 403, 403, 200, 403, 200],
    "DELETE /v1/sessions": [401, 401, 401, 403, 403, 403, 200, 403, 200],
    "GET /v1/sessions/{id}": [401, 401, 401, 401, 401, 200, 200, 401, 404],
    "DELETE /v1/sessions/{id}": [401, 401, 401, 401, 401, 204, 204, 401, 404],
    "GET /v1/sessions/{id}/stack": [401, 401, 401, 401, 401, 200, 200, 401, 404],
    "GET /v1/sessions/{id}/definition": [401, 401, 401, 401, 401, 200, 200, 401, 404],
    "GET /v1/sessions/{id}/replica": [401, 401, 401, 401, 401, 200, 200, 401, 404],
    "POST /v1/sessions/{id}/actions": [401, 401, 401, 401, 401, 200, 200, 401, 404],
    "POST /v1/sessions/{id}/open": [401, 401, 401, 401, 401, 200, 200, 401, 404],
    "POST /v1/sessions/{id}/notifications": [401, 401, 401, 401, 401, 200, 200, 401, 404],
    "POST /v1/sessions/{id}/predictions": [401, 401, 401, 401, 401, 200, 200, 401, 404],
    "GET /v1/sessions/{id}/history": [401, 401, 401, 401, 401, 200, 200, 401, 404],
    "GET /v1/sessions/{id}/events": [401, 401, 401, 401, 401, 200, 200, 401, 404],
    "POST /v1/sessions/{id}/events/ticket": [401, 401, 401, 401, 401, 201, 201, 401, 404],
    "GET /v1/events": [401, 401, 401, 403, 403, 403, 200, 403, 200],
    "POST /v1/events/ticket": [401, 401, 401, 403, 403, 403, 201, 403, 201],
    "GET /v1/apps": everybody,
    "GET /v1/apps/{app}": everybody,
    "PUT /v1/apps/{app}": [401, 401, 401, 403, 403, 403, 200, 403, 200],
    "GET /v1/apps/{app}/versions": [401, 401, 401, 403, 403, 403, 200, 403, 200],
    "GET /v1/apps/{app}/migrations": [401, 401, 401, 403, 403, 403, 200, 403, 200],
    "PUT /v1/apps/{app}/migrations/{from}/{to}": [401, 401, 401, 403, 403, 403, 404, 403, 404],
    "GET /v1/apps/{app}/migrations/{from}/{to}": [401, 401, 401, 403, 403, 403, 404, 403, 404],
    "POST /v1/sessions/{id}/migrate": [401, 401, 401, 403, 403, 403, 404, 403, 404],
    "POST /v1/sessions/{id}/undo": [401, 401, 401, 403, 403, 403, 200, 403, 404],
    "POST /v1/sessions/{id}/fork": [401, 401, 401, 403, 403, 403, 201, 403, 404],
    "POST /v1/sessions/{id}/export": [401, 401, 401, 403, 403, 403, 200, 403, 404],
    "POST /v1/sessions/import": [401, 401, 401, 403, 403, 403, 422, 403, 422],
    "POST /v1/sessions/{id}/forget": [401, 401, 401, 403, 403, 403, 200, 403, 404],
    "GET /v1/apps/{app}/rollouts": [401, 401, 401, 403, 403, 403, 404, 403, 404],
    "POST /v1/apps/{app}/rollouts": [401, 401, 401, 403, 403, 403, 404, 403, 404],
    "POST /v1/apps/{app}/rollouts/{operation}": [401, 401, 401, 403, 403, 403, 404, 403, 404],
    "GET /v1/apps/{app}/graph": everybody,
    "GET /v1/apps/{app}/check": everybody,
    "GET /v1/apps/{app}/links": everybody,
    "GET /openapi.json": everybody,
    "GET /v1/apps/{app}/openapi.json": everybody,
    "GET /livez": everybody,
    "GET /readyz": everybody,
    "GET /metrics": everybody,
    "GET /console": everybody,
    "GET /console/{file}": everybody,
    "GET /console/{folder}/{script}": everybody,
    "GET /engine/{engine}": everybody,
  ]
  private static let everybody = [Int](repeating: 200, count: Given.allCases.count)

  private static var endpoints: [(method: String, path: String)] { Endpoint.all.map { ($0.method.rawValue, $0.path) } }

  /// A valid body for an endpoint that requires one, or `nil`.
  private static func body(_ method: String, _ path: String) -> String? {
    guard method == "POST" || method == "PUT" else { return nil }
    return switch path {
    case "/v1/apps/{app}": Workshop.lab
    case "/v1/sessions": #"{"app":"lab"}"#
    case "/v1/sessions/{id}/migrate", "/v1/apps/{app}/rollouts": #"{"to":"\#(String(repeating: "0", count: 64))"}"#
    case "/v1/sessions/{id}/undo": #"{"revision":1}"#
    case "/v1/sessions/{id}/predictions": #"{"actions":[{"type":"pop"}]}"#
    case "/v1/sessions/{id}/fork", "/v1/sessions/{id}/export", "/v1/sessions/{id}/forget": "{}"
    case "/v1/sessions/{id}/open", "/v1/sessions/{id}/notifications": #"{"url":"lab://go/7"}"#
    default: #"{"type":"pop"}"#
    }
  }

  private static func ask(
    _ workshop: Workshop, _ port: Int, _ method: String, _ path: String, _ given: Given, query more: String = ""
  ) throws -> Reply {
    let (own, other) = (try workshop.session("lab", as: Workshop.operatorKey), try workshop.session("lab", as: Workshop.operatorKey))
    let gone = try workshop.session("lab", as: Workshop.operatorKey)
    #expect(try workshop.send("DELETE", "/v1/sessions/\(gone.id)", as: gone.secret).status == 204)
    let authorization: String? =
      switch given {
      case .nothing: nil
      case .malformed: "Basic \(own.secret)"
      case .guess: "Bearer a-guess-of-a-key"
      case .wrong: "Bearer \(Identity.secret())"
      case .other: "Bearer \(other.secret)"
      case .own: "Bearer \(own.secret)"
      case .operator, .operatorForGone: "Bearer \(Workshop.operatorKey)"
      case .gone: "Bearer \(gone.secret)"
      }
    let id = given == .gone || given == .operatorForGone ? gone.id : own.id
    // The deletion of many sessions requires a filter.
    let query = method == "DELETE" && path == "/v1/sessions" ? "?label=nobody" : more
    let target =
      path.replacing("{id}", with: id).replacing("{app}", with: "lab").replacing("{file}", with: "main.js")
      .replacing("{folder}", with: "graph").replacing("{script}", with: "graph.js")
      .replacing("{engine}", with: Workshop.engine.name) + query
    if path.hasSuffix("/events") {
      let client = try EventClient(port, target, headers: authorization.map { [("Authorization", $0)] } ?? [])
      return client.status == 200 ? client.head : try client.whole()
    }
    return try Wire.send(
      port, method, target, headers: authorization.map { [("Authorization", $0)] } ?? [], body: body(method, path).map { Array($0.utf8) })
  }

  @Test func `every endpoint has a row`() {
    #expect(Set(Self.endpoints.map { "\($0.method) \($0.path)" }) == Set(Self.statuses.keys))
  }

  @Test func `every endpoint with every kind of credential returns the status of its row`() throws {
    let workshop = try Workshop()
    for (method, path) in Self.endpoints {
      for (given, status) in zip(Given.allCases, Self.statuses["\(method) \(path)"] ?? []) {
        let reply = try Self.ask(workshop, workshop.port, method, path, given)
        #expect(reply.status == status, "\(method) \(path), \(given): \(reply.text)")
        guard status == 401 else { continue }
        #expect(
          reply.code == "unauthorized" && reply.headers["www-authenticate"] == "Bearer realm=\"cairn\"", "\(method) \(path) \(given)")
      }
    }
  }

  @Test(arguments: ["actions", "open", "notifications"]) func `a plan requires the same credential as its post`(name: String) throws {
    let workshop = try Workshop()
    let path = "/v1/sessions/{id}/\(name)"
    for (given, status) in zip(Given.allCases, Self.statuses["POST \(path)"] ?? []) {
      let reply = try Self.ask(workshop, workshop.port, "POST", path, given, query: "?plan")
      #expect(reply.status == status && reply["plan"] == (status == 200 ? true : nil), "\(path), \(given): \(reply.text)")
    }
  }

  @Test func `with creation set to operator, no other caller can create a session`() throws {
    let workshop = try Workshop(creation: .operatorOnly)
    for (given, status) in zip(Given.allCases, [401, 401, 401, 403, 403, 403, 201, 403, 201]) {
      #expect(try Self.ask(workshop, workshop.port, "POST", "/v1/sessions", given).status == status, "\(given)")
    }
  }

  @Test func `the admin port serves no session, with any credential`() throws {
    let workshop = try Workshop(hasAdminPort: true)
    for (method, path) in Self.endpoints {
      let status = ["/livez", "/readyz", "/metrics"].contains(path) ? 200 : 404
      for given in [Given.nothing, .own, .operator] {
        let reply = try Self.ask(workshop, workshop.admin.port, method, path, given)
        #expect(reply.status == status, "\(method) \(path), \(given): \(reply.text)")
      }
    }
    #expect(try workshop.send("GET", "/metrics", as: Workshop.operatorKey).status == 404, "they are on that port alone")
    #expect(try workshop.send("GET", "/readyz").status == 200)
  }
}
