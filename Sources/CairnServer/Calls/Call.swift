import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnStore
import Synchronization

/// One request while the service processes it. Only the first response to the request is sent. Thread-safe.
final class Call: Sendable {
  let request: Request
  let method: RequestRecord.Method
  /// The route of the path; `nil` if no endpoint has this path.
  let route: Route?
  /// The path segment that matches the route's parameter; empty if the route has no parameter.
  let parameter: String
  /// Whether `parameter` has the form of a session's id.
  let hasSessionID: Bool
  let isPretty: Bool
  /// The client's address: the address of the connection, or the address that trusted proxies forward.
  let address: String
  /// Whether the request arrived on the operators' port.
  let isAdmin: Bool
  /// The slot among the client's simultaneous requests; `nil` if the client's requests are not counted.
  let seat: Seat?
  /// The authenticated caller.
  private let principal = SetOnce<Principal>()
  /// The session that the request created.
  private let identity = SetOnce<SessionIdentity>()
  /// The session's revision after the request; -1 if it is not recorded.
  private let revision = Atomic(-1)
  /// The client's `X-Request-Id` if it is safe to log; otherwise the id that the service assigned.
  let requestID: String
  private let service: Service
  private let responder: Responder
  private let start = Monotonic.now()
  private let isDone = Atomic(false)

  init(_ request: Request, _ responder: Responder, _ service: Service, isAdmin: Bool = false) {
    let segments = request.segments
    let match = Route.of(segments)
    self.request = request
    requestID = request.knownID
    method = RequestRecord.Method(request)
    self.responder = responder
    self.service = service
    route = match?.route
    let place = match?.parameter
    parameter = place.map(segments.text) ?? ""
    hasSessionID = place.map { segments.isSegment($0, Identity.isSessionID) } ?? false
    self.isAdmin = isAdmin
    let peer = request.remoteAddress
    let isForwarded: Bool
    (address, isForwarded) = service.limiter.proxies.isEmpty ? (peer, false) : service.limiter.proxies.client(of: peer, request.headers)
    seat = isForwarded ? Seat(service.limiter, address) : nil
    isPretty = !request.query.isEmpty && request.query.contains { $0.name == "pretty" && $0.value != "false" && $0.value != "0" }
    service.inFlight.entered()
  }

  deinit {
    // If CairnHTTP has replaced the response by a fault, `Service.response(to:_:)` has logged the request.
    if !isDone.load(ordering: .relaxed), !responder.wasRefused { service.telemetry.answered(record(status: 499, result: "closed-early")) }
    service.inFlight.left()
  }

  /// Returns the path segment at an index, from 0; empty if the path has no such segment.
  func segment(_ index: Int) -> String { index < request.segments.count ? request.segments.text(index) : "" }

  /// Records the authenticated caller.
  func isFrom(_ principal: Principal) { self.principal.set(principal) }

  /// The authenticated caller; `nil` before authentication.
  var knownAsker: Principal? { principal.value }

  /// The operator's name if an operator makes the request; otherwise `nil`.
  var operatorName: String? { knownAsker.flatMap { $0.role == .operator ? $0.name : nil } }

  /// Records that the request has created a session.
  func started(_ identity: SessionIdentity) { self.identity.set(identity) }

  /// The origin that is stored with the entries of this request: the request's id, and the operator if an operator makes the request.
  var origin: EntryOrigin { EntryOrigin(author: operatorName, request: requestID) }

  /// Records the session's revision after the request.
  func reached(_ revision: Int) { self.revision.store(revision, ordering: .relaxed) }

  /// A function that returns whether the client is still waiting. It can be called on any thread, and does not retain the call.
  var isWanted: @Sendable () -> Bool { { [responder] in responder.isAwaited } }

  /// Responds with a body that is encoded on the connection's thread. `result` is the outcome for the log; `nil` if the log contains no
  /// outcome.
  func answer(status: Int = 200, headers: Headers = [:], result: String? = nil, _ body: some JSONWritable & Sendable) {
    answer(status: status, headers: headers, result: result) { pretty in try JSONText.bytes(body, pretty: pretty) }
  }

  /// Responds with the JSON that `bytes` returns on the connection's thread. The argument of `bytes` is whether the JSON is indented.
  func answer(status: Int = 200, headers: Headers, result: String? = nil, bytes: @escaping @Sendable (Bool) throws -> [UInt8]) {
    send { self.response(status: status, headers: headers, result: result, bytes: bytes) }
  }

  /// Responds with JSON that is encoded on the calling thread. Must be called on a connection's or a reader's thread. It must not be called
  /// on the writer's thread, because encoding would delay the writer.
  func answerHere(status: Int = 200, headers: consuming Headers, result: String? = nil, bytes: (Bool) throws -> [UInt8]) {
    var (response, result) = response(status: status, headers: headers, result: result, bytes: bytes)
    complete(&response)
    if responder.send(response) { note(status: response.status, result: result) }
  }

  /// Responds with a response that is already encoded.
  func answer(_ response: Response, result: String? = nil) { send { (response, result) } }

  /// Responds with the response that `make` returns on the connection's thread.
  func answer(result: String?, _ make: @escaping @Sendable () -> Response) { send { (make(), result) } }

  /// Responds to a post with the result of `make`, which runs on the connection's thread.
  func answer(_ make: @escaping @Sendable () -> PostAnswer) {
    responder.send { [self] in
      let (response, result) = response(to: make())
      return completed(response, result)
    }
  }

  /// Begins a response of unbounded length, and counts the request. The request's log line is written when the stream ends. Returns `nil`
  /// if the client has disconnected.
  func stream(_ head: Response) -> ByteStream? {
    var limits = StreamLimits()
    limits.waiting = 1 << 20
    var head = head
    complete(&head)
    guard let stream = responder.stream(head, limits) else { return nil }
    isDone.store(true, ordering: .relaxed)
    service.telemetry.counted(record(status: head.status, result: nil))
    return stream
  }

  /// Converts a store's fault to a response. The journal's error text is logged and is not part of the response.
  func rejection(_ fault: StoreFault, isArray: Bool = false, url: String = "/url") -> Rejection {
    service.telemetry.rejection(fault, isArray: isArray, url: url)
  }

  /// Responds with the problem of a store's fault.
  func reject(_ fault: StoreFault) { reject(rejection(fault)) }

  /// Responds with a problem. `result` replaces the problem's code in the log.
  func reject(_ rejection: Rejection, result: String? = nil) { send { (self.response(to: rejection), result ?? rejection.problem.code) } }

  private func send(_ make: @escaping @Sendable () -> (Response, String?)) {
    responder.send { [self] in
      let (response, result) = make()
      return completed(response, result)
    }
  }

  /// Adds the headers that every response has, and counts and logs the response.
  private func completed(_ response: consuming Response, _ result: String?) -> Response {
    complete(&response)
    note(status: response.status, result: result)
    return response
  }

  private func complete(_ response: inout Response) {
    response.addCommonHeaders(requestID: requestID)
    if !isAdmin { response.addCrossOriginHeaders(service.settings.origins, request) }
  }

  private func note(status: Int, result: String?) {
    isDone.store(true, ordering: .relaxed)
    service.telemetry.answered(record(status: status, result: result))
  }

  /// Encodes a JSON response and returns it with the outcome for the log. Can be called on any thread.
  func response(status: Int, headers: consuming Headers, result: String?, bytes: (Bool) throws -> [UInt8]) -> (Response, String?) {
    do {
      let body = try bytes(isPretty)
      headers.add(lines: "Content-Type: application/json\r\n")
      return (Response(status: status, headers: headers, body: body), result)
    } catch {
      return (
        response(to: Rejection(.internal, "the response contains a number that JSON cannot represent")), ProblemCode.internal.rawValue
      )
    }
  }

  /// Encodes the response to a post and returns it with the outcome for the log.
  func response(to answer: PostAnswer) -> (Response, String?) {
    response(status: answer.status, headers: answer.headers, result: answer.result) { try JSONText.bytes(answer.body, pretty: $0) }
  }

  /// Encodes a problem.
  func response(to rejection: Rejection) -> Response {
    Response(rejection, requestID: requestID, traceID: traceID, pretty: isPretty)
  }

  private var traceID: String? { TraceParent.traceID(request.headers["traceparent"]) }

  /// Creates the record of the request for the log and the metrics, with the time from the start of the request until now.
  func record(status: Int, result: String?) -> RequestRecord {
    let revision = revision.load(ordering: .relaxed)
    return RequestRecord(
      method: method, route: route, status: status, time: Int(WallClock.now()), nanoseconds: Monotonic.now() - start,
      session: identity.value?.id ?? (hasSessionID ? parameter : nil), requestID: requestID, traceID: traceID, result: result,
      address: address,
      principal: principal.value, revision: revision >= 0 ? revision : nil)
  }
}

extension Response {
  /// Encodes a problem.
  init(_ rejection: Rejection, requestID: String?, traceID: String?, pretty: Bool) {
    var problem = rejection.problem
    problem.instance = requestID.map { "urn:cairn:request:\($0)" }
    problem.traceId = traceID
    // A problem contains only strings and integers, so encoding cannot fail. An empty body would still have the status.
    let body = (try? JSONText.bytes(problem, pretty: pretty)) ?? []
    self.init(status: problem.status, headers: rejection.headers, body: body)
    headers.add("Content-Type", "application/problem+json")
  }

  /// Adds the headers that every response has. `Cache-Control` is `no-store` unless the response has set it.
  mutating func addCommonHeaders(requestID: String?) {
    if headers.hasCacheControl {
      headers.add(lines: "X-Content-Type-Options: nosniff\r\n")
    } else {
      headers.add(lines: "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n")
    }
    // The id contains only safe characters, whether the client or the service assigned it.
    if let requestID { headers.add("X-Request-Id", legal: requestID) }
  }
}
