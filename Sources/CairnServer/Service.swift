package import CairnHTTP
import CairnAPI
import CairnCore
import CairnRuntime
package import CairnStore
package import Logging

/// The HTTP service: owns the endpoints, and dispatches requests to them. `handle` and `response` are the callbacks of `CairnHTTP.Server`.
/// Thread-safe.
package final class Service: Sendable {
  /// Loads definitions into the catalog.
  package let publisher: Publisher
  let settings: Settings
  let limiter: RateLimiter
  let telemetry: Telemetry
  let inFlight = InFlight()
  let access: Access
  let threads: OperatorThreads

  // The endpoints by topic. The rows of `Endpoint.all` name their functions.
  let actions: ActionEndpoints
  let copies: CopyEndpoints
  let creation: CreationEndpoints
  let definitions: DefinitionEndpoints
  let documents: DocumentEndpoints
  let health: HealthEndpoints
  let history: HistoryEndpoints
  let links: LinkEndpoints
  let live: LiveEndpoints
  let migrations: MigrationEndpoints
  let rollouts: RolloutEndpoints
  let sessions: SessionEndpoints
  private let metrics: ServiceMetrics

  /// Creates the service. `requests` receives a line for each request. If it is `nil`, the lines are written directly to `log`.
  package init(store: Store, catalog: Catalog, settings: Settings, log: Logger, requests: (any RequestLog)? = nil) {
    self.settings = settings
    publisher = Publisher(catalog, store, settings, log)
    telemetry = Telemetry(log, lines: requests, now: settings.limits.now)
    limiter = RateLimiter(settings.limits)
    let tickets = Tickets(store.clock)
    access = Access(store, limiter, settings.operators, tickets, telemetry)

    let responses = SessionResponses(store, settings)
    let once = OnceReplies(store, responses, telemetry)
    let posting = Posting(store, responses, once, telemetry)
    let start = SessionStart(store, responses, once, limiter)
    threads = OperatorThreads(telemetry)
    let lookup = DefinitionLookup(store, catalog, publisher, threads)
    let streams = Streams(limit: settings.streamsPerSession)

    actions = ActionEndpoints(store, access, responses, once, posting, telemetry)
    copies = CopyEndpoints(store, access, once, start, publisher, threads, fileLimit: settings.sessionFile)
    creation = CreationEndpoints(store, access, lookup, once, start, limiter, settings)
    definitions = DefinitionEndpoints(store, access, lookup, publisher, threads)
    documents = DocumentEndpoints(access, lookup, responses, settings)
    metrics = ServiceMetrics(store, publisher, streams, telemetry, inFlight, settings)
    health = HealthEndpoints(store, publisher, telemetry, metrics)
    history = HistoryEndpoints(store, access, once, threads)
    links = LinkEndpoints(access, responses, once, posting)
    live = LiveEndpoints(store, access, responses, streams, tickets, telemetry)
    migrations = MigrationEndpoints(store, access, lookup, responses, once, publisher, threads, environment: settings.environment)
    rollouts = RolloutEndpoints(store, access, lookup, publisher, threads, telemetry, DefinitionAdmission(settings))
    sessions = SessionEndpoints(store, access, responses, limiter, telemetry)
    settings.operators.whenReplaced { [weak live] in live?.endUnheldStreams() }
  }

  /// Handles a request. Never blocks.
  package func handle(_ request: Request, _ responder: Responder) -> Answer {
    let call = Call(request, responder, self)
    do throws(Rejection) {
      try access.admit(call)
      try dispatch(call)
    } catch {
      call.reject(error)
    }
    return .later
  }

  /// Handles a request on the operators' port, which has no rate limits and serves no sessions.
  package func administer(_ request: Request, _ responder: Responder) -> Answer {
    let call = Call(request, responder, self, isAdmin: true)
    do throws(Rejection) {
      try dispatch(call)
    } catch {
      call.reject(error)
    }
    return .later
  }

  /// Counts a connection that was refused because its address has too many open connections.
  package func connectionRefused(_ address: String) { telemetry.refused(for: .connectionsPerAddress, address: address) }

  /// Creates the response to a request that CairnHTTP has rejected, and counts and logs the request.
  package func response(to fault: Fault, _ request: Request?) -> Response {
    let rejection = Rejection(fault)
    let traceID = TraceParent.traceID(request?.headers["traceparent"])
    var response = Response(rejection, requestID: request?.knownID, traceID: traceID, pretty: false)
    response.addCommonHeaders(requestID: request?.knownID)
    response.addCrossOriginHeaders(settings.origins, request)
    telemetry.answered(
      RequestRecord(
        method: .init(request), route: request.flatMap(Self.route), status: response.status, time: Int(WallClock.now()), nanoseconds: 0,
        session: nil, requestID: request?.knownID ?? "", traceID: traceID, result: rejection.problem.code,
        address: request?.remoteAddress ?? ""))
    return response
  }

  /// Whether a request may have a body of up to `Settings.sessionFile` bytes. Called before the body is read, on the connection's thread.
  package func allowsLongBody(_ request: Request) -> Bool { access.allowsLongBody(request) }

  /// Sets the function that returns the server's metrics. The function is not a parameter of `init`, because the server is created with an
  /// existing service.
  package func report(_ counts: @escaping @Sendable () -> Server.Counts?) { metrics.report(counts) }

  /// Returns the route of a request that may have been refused before its target was decoded; `nil` if no route matches.
  private static func route(of request: Request) -> Route? {
    if !request.segments.isEmpty { return Route.of(request.segments)?.route }
    let segments = Array(request.rawPath.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return Route.of(Array(segments.dropFirst()))?.route
  }

  /// Makes `/readyz` report that the service is stopping. All other endpoints continue to work.
  package func leave() { health.leave() }

  /// Ends every stream with a final event and responds to waiting requests. New streams and waits are refused. Call this before `drain`.
  package func endStreams() { live.endAll() }

  /// Blocks until no request is running, or until `duration` has passed. Returns false if requests are still running. Must not be called on
  /// a connection's thread.
  package func drain(within duration: Duration) -> Bool {
    let isIdle = inFlight.drain(within: duration)
    // The stop does not wait for operators' requests that still wait for a thread, so they are refused now.
    if !isIdle { threads.close() }
    return isIdle
  }

  /// The hint in the response to an unknown path.
  private var signpost: String {
    "the API is at /v1/sessions and /v1/apps, and described at /openapi.json"
      + (settings.hasConsole ? "; the console is at /console" : "")
  }

  private func dispatch(_ call: Call) throws(Rejection) {
    if call.method == .options, let origin = call.request.preflightOrigin {
      guard !call.isAdmin, settings.origins.contain(origin) else {
        let who = settings.origins.isEmpty || call.isAdmin ? "other origins" : "this origin"
        let remark = call.isAdmin ? "port" : "service (the setting corsOrigins)"
        throw Rejection(.crossOrigin, "pages of \(who) are not allowed to call this \(remark)")
      }
      if let route = call.route { return call.answer(.preflight(methods: route.methods(isWritable: settings.isWritable))) }
    }
    if let origin = call.request.foreignOrigin, call.method.isChanging, call.isAdmin || !settings.origins.contain(origin) {
      let who = settings.origins.isEmpty ? "other origins" : "this origin"
      let remark = call.isAdmin ? "" : " (the setting corsOrigins)"
      throw Rejection(.crossOrigin, "pages of \(who) are not allowed to change anything\(remark)")
    }
    guard let route = call.route, route.isServed(onAdminPort: call.isAdmin, hasAdminPort: settings.hasAdminPort) else {
      if call.request.rawPath == "*", call.method == .options {
        return call.answer(Response(status: 204, headers: ["Allow": "GET, HEAD, POST, PUT, DELETE, OPTIONS"]))
      }
      throw Rejection(
        .notFound,
        call.isAdmin ? "this port serves only /livez, /readyz and /metrics" : "no resource has this path; \(signpost)")
    }
    let method: RequestRecord.Method = call.method == .head ? .get : call.method
    guard let handler = route.handler(of: method, isWritable: settings.isWritable) else {
      let allow = route.allow(isWritable: settings.isWritable)
      if method == .options { return call.answer(Response(status: 204, headers: ["Allow": allow])) }
      let isPut = method == .put && route.methods(isWritable: true).contains(.put)
      let what = isPut ? "; definitions can be changed only in the folder (appsWritable)" : ""
      throw Rejection(.methodNotAllowed, "\(route.template) supports only \(allow)\(what)", headers: ["Allow": allow])
    }
    try handler.run(self, call)
  }
}

extension Request {
  /// The origin of a preflight request (Fetch, CORS-preflight request); `nil` for any other request.
  fileprivate var preflightOrigin: String? { headers.has("Access-Control-Request-Method") ? headers["Origin"] : nil }

  /// The origin of the page that makes the request; `nil` if the origin is this service, or if no page makes the request. The origin of the
  /// request itself is checked, because browsers send some requests without a preflight, such as those of a form (Fetch, CORS-safelisted
  /// request-header). `Sec-Fetch-Site` takes precedence over `Host`, which a proxy may change (Fetch Metadata).
  fileprivate var foreignOrigin: String? {
    guard let origin = headers["Origin"], headers["Sec-Fetch-Site"] != "same-origin" else { return nil }
    guard let separator = origin.firstRange(of: "://"), let host = headers["Host"] else { return origin }
    return origin[separator.upperBound...].lowercased() == host.lowercased() ? nil : origin
  }
}

extension RequestRecord.Method {
  /// Whether the method can change something. This is true of all methods except the safe methods (RFC 9110, 9.2.1).
  fileprivate var isChanging: Bool {
    switch self {
    case .get, .head, .options: false
    default: true
    }
  }
}
