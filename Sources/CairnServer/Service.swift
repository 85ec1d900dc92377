package import CairnHTTP
import CairnAPI
import CairnCore
import CairnRuntime
package import CairnStore
package import Logging

/// The endpoints of the API. `handle` and `response` are what `CairnHTTP.Server` is started with; any thread.
package final class Service: Sendable {
  let store: Store
  let catalog: Catalog
  let settings: Settings
  let telemetry: Telemetry
  private let inFlight = Monitor(0)
  private let isLeaving = Lock(false)
  private let front = Lock<(@Sendable () -> Server.Counts?)?>(nil)

  package init(store: Store, catalog: Catalog, settings: Settings, log: Logger) {
    self.store = store
    self.catalog = catalog
    self.settings = settings
    telemetry = Telemetry(log)
  }

  /// Answers a request; never blocks.
  package func handle(_ request: Request, _ responder: Responder) -> Answer {
    let call = Call(request, responder, self)
    do throws(Rejection) {
      try dispatch(call)
    } catch {
      call.reject(error)
    }
    return .later
  }

  /// What is answered to a request that the HTTP room did not let through.
  package func response(to fault: Fault, _ request: Request?) -> Response {
    let rejection = Rejection(fault)
    let traceID = TraceParent.traceID(request?.headers["traceparent"])
    var response = Response(rejection, requestID: request?.id, traceID: traceID, pretty: false)
    response.addCommonHeaders(requestID: request?.id)
    telemetry.answered(
      RequestRecord(
        method: request?.method ?? "", route: request.flatMap(Self.route), status: response.status, nanoseconds: 0,
        session: nil, requestID: request?.id ?? "", traceID: traceID, result: rejection.problem.code))
    return response
  }

  /// Lets `/metrics` ask the server that this service is behind; a server is started with its service, so it comes after.
  package func report(_ counts: @escaping @Sendable () -> Server.Counts?) { front.withLock { $0 = counts } }

  /// What the server in front counts; nil while there is none.
  func connections() -> Server.Counts? { front.withLock { $0 }.flatMap { $0() } }

  /// Where a request was meant to go that was refused before its target was decoded.
  private static func route(of request: Request) -> Route? {
    let raw = request.rawPath.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    return Route.of(request.path.isEmpty ? raw : request.path)?.route
  }

  /// `/readyz` says no from now on; everything else goes on.
  package func leave() { isLeaving.withLock { $0 = true } }

  /// Whether it is on its way down.
  var isGoing: Bool { isLeaving.withLock { $0 } }

  /// Blocks until no request is under way, at most so long; false: some still are. Not from a connection's thread.
  package func drain(within duration: Duration) -> Bool {
    inFlight.wait(until: Monotonic.deadline(after: duration)) { $0 == 0 ? true : nil } ?? false
  }

  /// Requests under way.
  var requestsInFlight: Int { inFlight.withLock { $0 } }

  func entered() { inFlight.change { $0 += 1 } }

  func left() { inFlight.change { $0 -= 1 } }

  private func dispatch(_ call: Call) throws(Rejection) {
    guard let route = call.route else {
      if call.request.rawPath == "*", call.request.method == "OPTIONS" {
        return call.answer(Response(status: 204, headers: ["Allow": "GET, HEAD, POST, DELETE, OPTIONS"]))
      }
      throw Rejection(.notFound, "nothing is here; the API begins at /v1/sessions and /v1/apps")
    }
    let method = call.request.method == "HEAD" ? "GET" : call.request.method
    if method == "OPTIONS" { return call.answer(Response(status: 204, headers: ["Allow": route.allow])) }
    guard route.methods.contains(method) else {
      throw Rejection(.methodNotAllowed, "\(route.rawValue) takes \(route.allow)", headers: ["Allow": route.allow])
    }
    switch route {
    case .sessions: method == "POST" ? try createSession(call) : try listSessions(call)
    case .session: method == "DELETE" ? try deleteSession(call) : try showSession(call)
    case .stack: try showStack(call)
    case .actions: try postActions(call)
    case .open: try openLink(call)
    case .notifications: try postNotification(call)
    case .history: try showHistory(call)
    case .apps: try listApps(call)
    case .app: try showApp(call)
    case .livez: try showLife(call)
    case .readyz: try showReadiness(call)
    case .metrics: try showMetrics(call)
    }
  }
}
